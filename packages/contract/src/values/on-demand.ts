/**
 * Makes some fields of a row when somebody first reads them, once: those that are functions. Schemas are most of what a
 * process would make at its start, and a host needs few of them before its first request.
 */
export function onDemand<Made>(row: object, names: readonly PropertyKey[]): Made {
  for (const name of names) {
    const make: unknown = Reflect.get(row, name)
    if (typeof make !== 'function') continue
    let made: unknown
    const get = () => {
      made ??= make()
      return made
    }
    Object.defineProperty(row, name, { get, enumerable: true })
  }
  return row as Made
}
