import { connect } from 'node:net'
import { atPort, type TestHost, type TestWindow } from './host.ts'

/** A connection that speaks HTTP/1.1 as a test writes it, byte by byte. */
export interface RawHttp {
  write(text: string | Uint8Array): void
  /** All that came so far. */
  readonly said: string
  /** Whether the other side ended or broke the connection. */
  readonly closed: boolean
  /** Resolves when the text matches, or when the connection is closed. */
  until(pattern: RegExp): Promise<string>
  /** Reads no more; the other side has to wait. */
  rest(): void
  /** Reads on. */
  go(): void
  end(): void
}

/** Opens a connection to a port of loopback. */
export function openRawHttp(port: number): RawHttp {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let said = ''
  let closed = false
  const waiting = new Set<() => void>()
  const news = () => {
    for (const look of waiting) look()
  }
  socket.on('data', (text: string) => {
    said += text
    news()
  })
  // A reset is an end like another.
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
    news()
  })
  return {
    write: (text) => void (socket.writable && socket.write(text)),
    get said() {
      return said
    },
    get closed() {
      return closed
    },
    until: (pattern) =>
      new Promise((resolve) => {
        const look = () => {
          if (!closed && !pattern.test(said)) return
          waiting.delete(look)
          resolve(said)
        }
        waiting.add(look)
        look()
      }),
    rest: () => void socket.pause(),
    go: () => void socket.resume(),
    end: () => void socket.destroy(),
  }
}

/** A host that listens, and requests of one of its windows as text. */
export async function listening(testHost: TestHost, window: TestWindow) {
  const { port } = await testHost.host.listen(0)
  const rpc = '/api/v1/svc-apps/runtime/rpc'
  const call = JSON.stringify({
    id: 'raw',
    window_uuid: window.windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
  })
  /** The head of a right call; `null` leaves a header out, a list sends it several times. */
  const head = (
    over: Readonly<Record<string, string | readonly string[] | null>> = {},
    line = `POST ${rpc}`,
  ) => {
    const headers = {
      host: `127.0.0.1:${port}`,
      origin: `http://127.0.0.1:${port}`,
      cookie: atPort(window.cookie, { port }),
      'x-svc-app-token': window.token,
      'content-type': 'application/json',
      'content-length': String(call.length),
      ...over,
    }
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
    )
    return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`
  }
  return { port, call, head, open: () => openRawHttp(port) }
}

/** The status lines in what a connection said. */
export const statuses = (said: string) =>
  Array.from(said.matchAll(/HTTP\/1\.1 (\d{3})[^\r]*\r\n/g), ([, status]) => Number(status))
