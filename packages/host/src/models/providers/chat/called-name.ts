/**
 * The tool that a model means by a name. Models write blanks around it, a namespace before it or a mark of their template
 * behind it: `functions.probe`, `default_api:probe`, `probe<|channel|>json`. What nobody has stays as it is.
 */
export function calledName(name: string, tools: ReadonlySet<string>): string {
  if (tools.has(name)) return name
  const bare = name.replace(/<\|.*/s, '').trim()
  const last = bare.replace(/^.*[.:/]/s, '')
  return [bare, last].find((one) => tools.has(one)) ?? name
}
