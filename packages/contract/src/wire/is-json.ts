/**
 * Whether JSON holds a value whole: nothing in it that `JSON.stringify` would write otherwise, drop or throw at. What has a
 * `toJSON`, such as a Date, counts as what that returns, and a member that is `undefined` as left out. It is small, as each
 * app carries it, and costs less than writing the value; `jsonOddity` says what it found.
 */
// biome-ignore lint/suspicious/noExplicitAny: A value of any kind, whose members are looked at.
export function isJson(value: any, above: unknown[] = []): boolean {
  const made = typeof value?.toJSON === 'function' ? value.toJSON() : value
  if (typeof made !== 'object') return typeof made === 'string' || made === !!made || Number.isFinite(made)
  if (!made) return made === value
  const isList = Array.isArray(made)
  // The prototype of plain objects has none itself, in another frame too.
  const proto = !isList && Object.getPrototypeOf(made)
  if ((proto && Object.getPrototypeOf(proto)) || ArrayBuffer.isView(value) || above.includes(made))
    return false
  above.push(made)
  for (const item of isList ? made : Object.values(made))
    if (isList || item !== undefined) if (!isJson(item, above)) return false
  above.pop()
  return true
}
