/** One call of whatever is measured. */
export type Call = (args: unknown) => Promise<unknown>

/** The arguments of every call here. */
export const ARGS = { city: 'Turin', days: 3, units: 'metric' }

/** A browser's clock ticks every 100 µs in a page like any other: a figure is taken over ten calls. */
const TOGETHER = 10

/** The median of `count` calls one after another, in µs. */
export async function trip(call: Call, count: number): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count / TOGETHER; at++) {
    const start = performance.now()
    for (let one = 0; one < TOGETHER; one++) await call(ARGS)
    times.push((performance.now() - start) / TOGETHER)
  }
  return (times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN) * 1_000
}

/** Calls a second with `inFlight` of them under way. */
export async function throughput(call: Call, count: number, inFlight: number): Promise<number> {
  let left = count
  const lane = async () => {
    while (left-- > 0) await call(ARGS)
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, lane))
  return count / ((performance.now() - start) / 1_000)
}
