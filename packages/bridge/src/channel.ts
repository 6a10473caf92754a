import { LIST_MAX_CALLS } from '@svc/contract/browser'
import { ANSWER_ITEMS, TOGETHER_MAX_CHARS } from '@svc/contract/wire'
import type { FloodGate } from './flood-gate.ts'
import { type PortCall, readMessage } from './guard.ts'
import { failureText, resetText } from './texts.ts'

/** Who takes what a document says. */
export interface ChannelEnds {
  /** The calls of one message, in their order. */
  calls(calls: readonly PortCall[]): void
  /** Nobody waits for this call any more. */
  drop(id: number): void
  /** The other side of the port is gone. Not called after `end()`. */
  gone(): void
}

/** The page's end of the calls port of one document. */
export interface Channel {
  /** Tells the document that it is taken in. */
  welcome(epoch: number): void
  /** Answers a waiting call; what is answered or dropped already is left alone. */
  answer(id: number, text: string): void
  /** Hands events to the document, each as JSON text. */
  events(texts: readonly string[]): void
  /** Tells the document that events may be lost. */
  reset(): void
  /** Answers what waits with `bridge_reset` and closes the port; ending twice is harmless. */
  end(): void
}

/** A settled promise: its `then` costs a tenth of `queueMicrotask` in Chromium, on the path of every answer. */
const thisTick = Promise.resolve()

/**
 * Carries calls, answers and events over the port of a document that is not trusted: everything that comes
 * passes the guard. Answers of one tick travel as one list, a long one alone. `gate` counts what comes.
 */
export function createChannel(port: MessagePort, ends: ChannelEnds, gate: FloodGate = () => true): Channel {
  const waiting = new Set<number>()
  let list: (number | string)[] = []
  const over = new AbortController()

  function flush(): void {
    if (list.length > 0) port.postMessage(list)
    list = []
  }

  function answer(id: number, text: string): void {
    if (!waiting.delete(id)) return
    const alone = text.length > TOGETHER_MAX_CHARS
    if (alone) flush()
    else if (list.length === 0) void thisTick.then(flush)
    list.push(id, text)
    if (alone || list.length >= LIST_MAX_CALLS * ANSWER_ITEMS) flush()
  }

  /** Takes an id in; a second call under the id of a waiting one is dropped. */
  function admit(id: number): boolean {
    const isNew = !waiting.has(id)
    waiting.add(id)
    return isNew
  }

  function read(event: MessageEvent): void {
    // Counted before it is read: reading takes the message apart.
    if (!gate('messages')) return
    const said = readMessage(event.data)
    if (!gate('calls', said.calls.length + said.refused.length)) return
    if (said.drop && waiting.delete(said.drop)) ends.drop(said.drop)
    for (const { id, problem } of said.refused)
      if (admit(id)) answer(id, failureText(String(id), { code: 'invalid_arg', message: problem }))
    const fresh = said.calls.filter(({ id }) => admit(id))
    if (fresh.length > 0) ends.calls(fresh)
  }
  port.addEventListener('message', read, over)
  port.addEventListener('close', () => ends.gone(), over)
  port.start()

  return {
    welcome: (epoch) => port.postMessage({ svc: 'welcome', epoch }),
    answer,
    events(texts) {
      flush()
      port.postMessage({ svc: 'events', events: texts })
    },
    reset() {
      flush()
      port.postMessage({ svc: 'reset' })
    },
    end() {
      if (over.signal.aborted) return
      over.abort()
      for (const id of waiting) answer(id, resetText(String(id)))
      flush()
      port.close()
    },
  }
}
