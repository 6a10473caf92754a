/** What a file with JSON holds, or in a sentence why it is not JSON, with the place: `a.json:4:5 is not JSON: …`. */
export function readJsonText(
  text: string,
  file: string,
): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [what = '', at] = message.split(/ in JSON at position |, (?:\.\.\.)?"/)
    const position = /^\d+/.test(at ?? '') ? Number.parseInt(at ?? '', 10) : brokenAt(text)
    const lines = text.slice(0, position).split('\n')
    return { problem: `${file}:${lines.length}:${(lines.at(-1) ?? '').length + 1} is not JSON: ${what}` }
  }
}

/** Where a text stops to be the beginning of JSON, where the parser does not tell. */
function brokenAt(text: string): number {
  let good = 0
  let bad = text.length + 1
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (canGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return good
}

function canGoOn(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const [, at] = /at position (\d+)/.exec(String(error)) ?? []
    return at === undefined ? String(error).includes('end of JSON') : Number(at) >= text.length
  }
}
