/** How often a line on a terminal is written anew, and how often another gets a line, in ms. */
const TERMINAL_MS = 200
const LOG_MS = 10_000
/** What is done sooner says nothing, in ms. */
const QUIET_MS = 1_000

/** Where progress is shown. */
export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** What shows the progress of one piece of work. */
export interface Progress {
  /** Tells how far it is, as often as one likes. */
  readonly show: (done: number, total: number) => void
  /** Takes the line away. */
  readonly end: () => void
}

/** Shows how far a piece of work is, on stderr, once it has taken a second. `now` is in ms. */
export function openProgress(
  what: string,
  output: ProgressOutput = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  const every = output.isTTY ? TERMINAL_MS : LOG_MS
  let next = now() + QUIET_MS
  let isShown = false
  return {
    show(done, total) {
      const time = now()
      if (time < next) return
      next = time + every
      isShown = true
      const percent = total > 0 ? Math.min(100, Math.floor((done * 100) / total)) : 100
      output.write(output.isTTY ? `\r\u001b[K${what}: ${percent} %` : `${what}: ${percent} %\n`)
    },
    end() {
      if (isShown && output.isTTY) output.write('\r\u001b[K')
    },
  }
}
