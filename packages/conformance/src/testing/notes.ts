import { openSync, readFileSync, writeSync } from 'node:fs'

/** A call that a process noted before it began, and what it noted of its end. */
export interface Call {
  readonly load: string
  /** What was asked; each load has its own shape. */
  readonly what: never
  readonly called: number
  /** Without a result: when the process was dead. */
  readonly returned: number
  /** Undefined: the process was killed before its promise resolved. */
  readonly result?: never
}

type Line =
  | { readonly n: number; readonly t: number; readonly load: string; readonly what: unknown }
  | { readonly n: number; readonly t: number; readonly result: unknown }

/** Milliseconds of a clock that all processes of the machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/**
 * Notes calls in a file, each line by a system call of its own: what was written outlives a kill, so that the other
 * process learns of every promise that had resolved. `reached` is called when `calls` of them have.
 */
export function openNotes(file: string, calls: number, reached: () => void) {
  const fd = openSync(file, 'a')
  let last = 0
  let ended = 0
  const note = (line: Line) => writeSync(fd, `${JSON.stringify(line)}\n`)
  return {
    /** Runs one call. `noted` makes of what it gives what the checks need. */
    async call<Given>(
      load: string,
      what: unknown,
      run: () => Promise<Given>,
      noted: (given: Given) => unknown = (given) => given,
    ): Promise<Given> {
      last += 1
      const n = last
      note({ n, t: nowMs(), load, what })
      const given = await run()
      note({ n, t: nowMs(), result: noted(given) ?? null })
      ended += 1
      if (ended === calls) reached()
      return given
    },
  }
}

export type Notes = ReturnType<typeof openNotes>

/** The calls that a process noted until it was dead at `ended`. */
export function readNotes(file: string, ended: number): Call[] {
  const calls = new Map<number, Call>()
  // The kill may have cut the last line.
  for (const text of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const line = JSON.parse(text) as Line
    if ('load' in line) {
      const { load, what, t } = line
      calls.set(line.n, { load, what: what as never, called: t, returned: ended })
      continue
    }
    const call = calls.get(line.n)
    if (!call) throw new Error(`the notes tell the end of a call that never began: ${text}`)
    calls.set(line.n, { ...call, returned: line.t, result: line.result as never })
  }
  return [...calls.values()]
}
