import { BEFORE_CLOSE_MS } from '@svc/contract/browser'
import type { HostContext, PageCall, PageCalls } from '@svc/contract/wire'
import type { Clock } from './clock.ts'
import type { FloodGate } from './flood-gate.ts'

/** What the page calls in the document. */
export interface BundleClient {
  /** Tells the document its surroundings; while it has not taken the last news, only the newest waits. */
  setContext(context: HostContext): void
  /** Asks whether the window may close: no answer in 1 s, or a broken one, is a yes. */
  mayClose(reason: string | null): Promise<boolean>
  /**
   * Asks for a sign of life: a document that runs answers, although it has no such call. Returns at how many looks in a
   * row it owes one.
   */
  look(): number
  close(): void
}

/**
 * Calls into the bundle (contract `/wire`, `PageCalls`). Both sides speak comlink's wire and run none of it: of what the
 * bundle says the page reads which call is answered and one plain value. Comlink would also take objects to call back, and
 * exposing anything would let the bundle run code here.
 */
export function createBundleClient(port: MessagePort, clock: Clock, gate: FloodGate): BundleClient {
  const waiting = new Map<string, (value: unknown) => void>()
  let count = 0
  let owed = 0
  let telling = false
  let next: HostContext | undefined

  port.onmessage = (event) => {
    if (!gate('messages')) return
    const { data } = event
    const id = data?.id
    waiting.get(id)?.(data.value)
    waiting.delete(id)
  }

  function call(method: keyof PageCalls | '', value: unknown, answered: (value: unknown) => void): void {
    const id = `p${++count}`
    waiting.set(id, answered)
    port.postMessage({
      id,
      type: 'APPLY',
      path: [method],
      argumentList: [{ type: 'RAW', value }],
    } satisfies PageCall)
  }

  function tell(): void {
    if (!next || telling) return
    telling = true
    call('contextChanged', next, () => {
      telling = false
      tell()
    })
    next = undefined
  }

  return {
    setContext(context) {
      next = context
      tell()
    },
    mayClose: (reason) =>
      new Promise((resolve) => {
        const timer = clock.setTimeout(() => resolve(true), BEFORE_CLOSE_MS)
        call('beforeClose', reason, (answer) => {
          clock.clearTimeout(timer)
          resolve(answer !== false)
        })
      }),
    look() {
      if (owed++ === 0)
        call('', 0, () => {
          owed = 0
        })
      return owed
    },
    close: () => port.close(),
  }
}
