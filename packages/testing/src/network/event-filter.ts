/** The end of one server-sent event. */
const BREAK = '\n\n'

/** Makes what takes the bytes of server-sent events and returns those of whole events that are not lost on the way. */
export function eventFilter(isLost: (event: unknown) => boolean): (bytes: Uint8Array) => Uint8Array {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let text = ''
  return (bytes) => {
    const blocks = (text + decoder.decode(bytes, { stream: true })).split(BREAK)
    text = blocks.pop() ?? ''
    const left = blocks.filter((block) => !isLost(eventOf(block)))
    return encoder.encode(left.map((block) => block + BREAK).join(''))
  }
}

/** The event of a block; `undefined` where it has none, or one of the stream itself. */
function eventOf(block: string): unknown {
  const lines = block.split('\n')
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice('data:'.length))
  if (data.length === 0 || lines.some((line) => line.startsWith('event:'))) return undefined
  return JSON.parse(data.join('\n'))
}
