import { createSseReader, type EventHead, readHostEvent } from '@svc/bridge/testing'

/** The end of one server-sent event. */
const BREAK = '\n\n'

/** Makes what takes the bytes of server-sent events and returns those of whole events that are not lost on the way. */
export function eventFilter(isLost: (event: EventHead) => boolean): (bytes: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let text = ''

  /** Whether a block has an event of the host that is lost; those of the stream itself have a name. */
  function loses(block: string): boolean {
    let isGone = false
    const read = createSseReader({
      event(name, data) {
        isGone = name === 'message' && isLost(readHostEvent(data).head)
      },
      id() {},
      retry() {},
    })
    for (const line of [...block.split('\n'), '']) read(line)
    return isGone
  }

  return (bytes) => {
    const blocks = (text + decoder.decode(bytes, { stream: true })).split(BREAK)
    text = blocks.pop() ?? ''
    const left = blocks.filter((block) => !loses(block))
    return encoder.encode(left.map((block) => block + BREAK).join(''))
  }
}
