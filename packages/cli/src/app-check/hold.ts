/** Holds work: what comes while it is shut waits until it is open again, or until its caller gives up. */
export interface Hold {
  /** How much waits now. */
  readonly waiting: number
  /** Shuts it: what comes from now on waits. */
  shut(): void
  /** Lets all go on. */
  open(): void
  /** Lets all go on, and never holds anything again. */
  close(): void
  /** Waits while it is shut. */
  pass(signal?: AbortSignal): Promise<void>
}

/** Makes one that is open. */
export function createHold(): Hold {
  const waiting = new Set<() => void>()
  let isShut = false
  let isClosed = false
  const open = () => {
    isShut = false
    for (const go of waiting) go()
  }
  return {
    get waiting() {
      return waiting.size
    },
    shut() {
      isShut = !isClosed
    },
    open,
    close() {
      isClosed = true
      open()
    },
    async pass(signal) {
      if (!isShut || signal?.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      signal?.addEventListener('abort', () => resolve(), { once: true })
      await promise
      waiting.delete(resolve)
    },
  }
}
