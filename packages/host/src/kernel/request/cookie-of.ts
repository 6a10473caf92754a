/** Returns the value of the first cookie of that name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const mark = `${name}=`
  if (header.startsWith(mark) && !header.includes(';')) return header.slice(mark.length)
  const pair = header.split(';').find((part) => part.trimStart().startsWith(mark))
  return pair?.trimStart().slice(mark.length).trimEnd()
}
