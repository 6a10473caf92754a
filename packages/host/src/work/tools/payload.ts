const FIRST = /[^ \t\r\n]/

/**
 * The text of a payload as an object: an object as it is, nothing as `{}`, anything else under `value`. `json` is the
 * payload's own text, so that a large one is neither parsed nor written again.
 */
export function objectText(json: string): string {
  const first = FIRST.exec(json)?.[0]
  if (first === 'n') return '{}'
  return first === '{' ? json : `{"value":${json}}`
}
