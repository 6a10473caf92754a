import { type Child, childOf, type Ending, noChild } from './child.ts'

/**
 * A process that starts once something was looked at, and not at all where that says a problem. What is sent before that
 * waits; whoever ends it before that has ended it. A `start` that throws is a failed start.
 */
export function deferChild(look: () => Promise<string | null>, start: () => Child): Child {
  const { promise: ended, resolve } = Promise.withResolvers<Ending>()
  const starting: (() => void)[] = []
  const waiting: { readonly line: string; readonly onTaken: (() => void) | undefined }[] = []
  let child: Child | undefined
  let isIgnored = false
  let isOver = false

  function begin(problem: string | null): void {
    if (isOver) return
    child = problem === null ? childOf(start) : noChild(problem)
    if (isIgnored) child.ignore()
    for (const listener of starting.splice(0)) child.onStart(listener)
    for (const { line, onTaken } of waiting.splice(0)) child.send(line, onTaken)
    resolve(child.ended)
  }
  look().then(begin, (error: Error) => begin(`its install could not be checked: ${error.message}`))

  const end = (): Promise<Ending> => {
    isOver = true
    resolve({ exitCode: null, signal: null })
    return ended
  }
  return {
    onStart(listener) {
      if (child) child.onStart(listener)
      else starting.push(listener)
    },
    get pid() {
      return child?.pid
    },
    first: () => child?.first(),
    ended,
    send(line, onTaken) {
      if (child) child.send(line, onTaken)
      else waiting.push({ line, onTaken })
    },
    queued: () =>
      child ? child.queued() : waiting.reduce((sum, { line }) => sum + Buffer.byteLength(line) + 1, 0),
    isListening: () => child?.isListening() ?? !isOver,
    midLine: () => child?.midLine() ?? false,
    rest: (times) => child?.rest(times),
    ignore() {
      isIgnored = true
      child?.ignore()
    },
    retire: (ms) => child?.retire(ms) ?? end(),
    kill: () => child?.kill() ?? end(),
  }
}
