import { constants } from 'node:os'

/** Commands that run until they are stopped, so that a signal is no failure of theirs. */
const serving: ReadonlySet<unknown> = new Set(['dev', 'runner', 'serve'])

/** Ends the process where nothing is open yet. A command that listens for signals itself takes this off. */
export function endEarly(signal: NodeJS.Signals): void {
  const [, , name, ...rest] = process.argv
  process.exit(serving.has(name) && !rest.includes('--check') ? 0 : 128 + constants.signals[signal])
}

/** Hears signals before the modules of a command are read, which takes longer than most signals wait. */
export function hearEarly(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endEarly)
}
