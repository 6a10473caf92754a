function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) freeze(inner)
  Object.freeze(value)
}

/**
 * Copies a row as JSON carries it and freezes the copy to the bottom. What any driver gives back is then the
 * same, and neither the writer nor a reader can change what is stored.
 */
export function frozenCopy<Row>(row: Row): Row {
  const copy: Row = JSON.parse(JSON.stringify(row))
  freeze(copy)
  return copy
}
