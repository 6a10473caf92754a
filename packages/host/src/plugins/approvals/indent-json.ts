/** A string, white space, a mark, or what else there is. The last string may have lost its end. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|\s+|[{}[\],:]|[^\s"{}[\],:]+/g

/**
 * Returns JSON text over lines, indented by two spaces as `JSON.stringify` does it, with each token as it was written. It
 * ends soon after `max` characters; of a text that was cut it returns what is there.
 */
export function indentJson(json: string, max: number): string {
  let text = ''
  let depth = 0
  let last = ''
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [token] of json.matchAll(TOKEN)) {
    if (text.length > max) break
    if (token.trim() === '') continue
    const isClose = token === '}' || token === ']'
    const isFirst = last === '{' || last === '['
    if (isClose) depth = Math.max(0, depth - 1)
    if (isClose ? !isFirst : isFirst || last === ',') text += newLine()
    if (token === '{' || token === '[') depth += 1
    text += token === ':' ? ': ' : token
    last = token
  }
  return text
}
