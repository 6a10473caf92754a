import { LIST_MAX_CALLS } from '@svc/contract/browser'
import { CALL_ITEMS, type Events, type Reset, TOGETHER_MAX_CHARS, type Welcome } from '@svc/contract/wire'

/** What the page says besides answers. */
export type PageMessage = Welcome | Events | Reset

/** What comes over the wire from the page. */
export interface WireEnds {
  answer(id: number, text: string): void
  said(message: PageMessage): void
  /** The page closed the port, or went away. Not called after `close()`. */
  gone(): void
}

/** The document's end of the calls port. */
export interface Wire {
  call(id: number, ns: string, method: string, argsText: string): void
  drop(id: number): void
  /** Closes the port; what was not sent is lost. */
  close(): void
}

/** A settled promise: its `then` costs a tenth of `queueMicrotask` in Chromium, on the path of every call. */
const thisTick = Promise.resolve()

/**
 * Speaks the port wire (contract `/wire`): calls of one tick travel as one flat list, in their order; a
 * long text travels alone.
 */
export function createWire(port: MessagePort, ends: WireEnds): Wire {
  let list: (number | string)[] = []

  function flush(): void {
    if (list.length > 0) port.postMessage(list)
    list = []
  }

  port.onmessage = ({ data }: MessageEvent<(number | string)[] | PageMessage>) => {
    if ('svc' in data) return ends.said(data)
    for (let at = 0; at < data.length; at += 2) ends.answer(data[at] as number, data[at + 1] as string)
  }
  port.addEventListener('close', ends.gone)

  return {
    call(id, ns, method, argsText) {
      const alone = argsText.length > TOGETHER_MAX_CHARS
      if (alone) flush()
      else if (list.length === 0) void thisTick.then(flush)
      list.push(id, ns, method, argsText)
      if (alone || list.length >= LIST_MAX_CALLS * CALL_ITEMS) flush()
    },
    drop(id) {
      flush()
      port.postMessage({ svc: 'drop', id })
    },
    close() {
      port.removeEventListener('close', ends.gone)
      port.onmessage = null
      port.close()
    },
  }
}
