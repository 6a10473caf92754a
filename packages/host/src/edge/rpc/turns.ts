/** Opens turns. */
export function openTurns() {
  /** The end of the last one that has a turn or waits for it. */
  const last = new Map<string, Promise<void>>()
  return {
    /** Does the work when it is its turn. Rejects with the reason of `gone` when that fires before. */
    async take<T>(name: string, gone: AbortSignal, work: () => Promise<T>) {
      const before = last.get(name) ?? Promise.resolve()
      const over = Promise.withResolvers<void>()
      const mine = before.then(() => over.promise)
      last.set(name, mine)
      try {
        await unless(gone, before)
        return await work()
      } finally {
        over.resolve()
        void mine.then(() => last.get(name) === mine && last.delete(name))
      }
    },
  }
}

/** Runs the work of each name one at a time. */
export type Turns = ReturnType<typeof openTurns>

function unless(gone: AbortSignal, turn: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(gone.reason)
    if (gone.aborted) return leave()
    gone.addEventListener('abort', leave)
    void turn.then(() => {
      gone.removeEventListener('abort', leave)
      resolve()
    })
  })
}
