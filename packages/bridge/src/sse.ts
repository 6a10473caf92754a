/** What an event stream says. */
export interface SseEnds {
  /** An event: its name (`message` where it has none), its data, and the cursor behind it where it has one. */
  event(name: string, data: string, id: string | undefined): void
  /** The cursor moved; told before the event that moved it. */
  id(id: string): void
  /** The host's wish for the pause between tries, in ms. */
  retry(ms: number): void
}

/**
 * Reads server-sent events line by line (the WHATWG's HTML standard, `event-stream`; lines end in LF or CRLF, as hosts
 * write them).
 */
export function createSseReader(ends: SseEnds): (line: string) => void {
  let name = ''
  let data: string[] = []
  let id: string | undefined

  return (text) => {
    const line = text.replace(/\r$/, '')
    if (line === '') {
      if (id !== undefined) ends.id(id)
      if (data.length > 0) ends.event(name || 'message', data.join('\n'), id)
      name = ''
      data = []
      id = undefined
      return
    }
    const [field, ...rest] = line.split(':')
    const value = rest.join(':').replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (field === 'id') id = value
    else if (field === 'retry' && /^\d+$/.test(value)) ends.retry(Number(value))
  }
}
