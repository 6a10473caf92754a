/** One kind of traffic. */
export interface Lane {
  readonly name: string
  /** Begins so often, or as soon as the time before is over. */
  readonly everyMs: number
  /** Does it once; `n` counts. */
  once(n: number): Promise<unknown>
}

/** How often a lane was done so far, and how often it failed. */
export interface Done {
  readonly name: string
  done: number
  failed: number
  /** What was wrong the first time. */
  trouble: string
}

/** Drives all lanes at a steady rate until `signal` aborts; each goes on after a failure, which is counted. */
export function driveLanes(
  lanes: readonly Lane[],
  signal: AbortSignal,
): { readonly done: readonly Done[]; readonly over: Promise<unknown> } {
  const done = lanes.map(({ name }): Done => ({ name, done: 0, failed: 0, trouble: '' }))
  const drive = async ({ everyMs, once }: Lane, count: Done) => {
    for (let n = 0; !signal.aborted; n++) {
      const next = performance.now() + everyMs
      try {
        await once(n)
        count.done += 1
      } catch (error) {
        if (signal.aborted) return
        count.failed += 1
        count.trouble ||= String(error).slice(0, 200)
      }
      await pause(Math.max(0, next - performance.now()), signal)
    }
  }
  return { done, over: Promise.all(lanes.map((lane, at) => drive(lane, done[at] as Done))) }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
