/** A Unix time as the routes and calls write it. */
export const isoOf = (ms: number): string => new Date(ms).toISOString()

/** The same for times of which many in a row are one: its text is made once. */
export function openIsoText(): (ms: number) => string {
  let last = Number.NaN
  let text = ''
  return (ms) => {
    if (ms !== last) text = isoOf(ms)
    last = ms
    return text
  }
}
