/**
 * The text of a payload as an object (decision 18): an object as it is, nothing as `{}`, anything else under
 * `value`. `json` is the payload's own text, so that a large one is not written again.
 */
export function objectText(payload: unknown, json: string): string {
  if (payload === undefined || payload === null) return '{}'
  return typeof payload === 'object' && !Array.isArray(payload) ? json : `{"value":${json}}`
}
