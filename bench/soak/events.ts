import { BASE, send, type Target, type User } from './client.ts'

/** The event stream of a page, which goes on where it was cut. */
export interface EventReader {
  /** Settles when an event whose text has this comes, or when the time is over: whether it came. */
  until(text: string, ms: number): Promise<boolean>
  /** Cuts it, and connects again with its place. */
  reconnect(): Promise<void>
  /** Cuts it for good. */
  close(): void
}

/** Opens the stream of these windows and of the jobs of the page. */
export async function readEvents(
  target: Target,
  { cookie }: User,
  windows: readonly string[],
): Promise<EventReader> {
  const waiting = new Set<(text: string) => void>()
  let lastId: string | undefined
  let cut = new AbortController()

  async function connect(): Promise<void> {
    cut = new AbortController()
    const headers = { cookie, ...(lastId !== undefined && { 'last-event-id': lastId }) }
    const path = `${BASE}/runtime/events?jobs=1&windows=${windows.join(',')}`
    const response = await send(target, 'GET', path, { headers, signal: cut.signal })
    if (!response.ok || !response.body) throw new Error(`events: ${await response.text()}`)
    void read(response.body).catch(() => {})
  }
  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    let carry = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const blocks = (carry + decoder.decode(chunk, { stream: true })).split('\n\n')
      carry = blocks.pop() ?? ''
      for (const block of blocks) {
        lastId = /^id: ?(.*)$/m.exec(block)?.[1] ?? lastId
        for (const look of waiting) look(block)
      }
    }
  }
  await connect()
  return {
    until: (text, ms) =>
      new Promise((resolve) => {
        const end = (found: boolean) => {
          clearTimeout(timer)
          waiting.delete(look)
          resolve(found)
        }
        const look = (block: string) => {
          if (block.includes(text)) end(true)
        }
        const timer = setTimeout(() => end(false), ms)
        waiting.add(look)
      }),
    async reconnect() {
      cut.abort()
      await connect()
    },
    close: () => cut.abort(),
  }
}
