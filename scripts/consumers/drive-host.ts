import { routes } from '../../packages/contract/src/routes/index.ts'

/** What a host that somebody packed did: each a path through code that starts a thread, a program or a stream. */
export interface Driven {
  /** A value that was written and read. */
  readonly kept: unknown
  /** The size of a value whose body is read in another thread. */
  readonly longBytes: unknown
  /** What a plugin answered, in a process of its own. */
  readonly sum: unknown
  /** The type of an uploaded image, kept in the data folder. */
  readonly image: unknown
  /** Whether an event arrived while its stream was open. */
  readonly event: boolean
}

/** What a host did that lacks nothing. */
export const whole: Driven = { kept: 'a value', longBytes: 400_002, sum: 5, image: 'image/gif', event: true }

const LONG_CHARS = 400_000
const IMAGE_BYTES = 1_500_000
/** How long all may take until the event is there, on a busy machine. */
const EVENT_MS = 120_000
const ROOT = '/api/v1/svc-apps'

/** Uses a host at a URL as a page of its user does. */
export async function driveHost(url: string): Promise<Driven> {
  const headers = { origin: url, 'content-type': 'application/json' }
  async function ask(path: string, init: RequestInit = {}) {
    const response = await fetch(url + path, { ...init, headers: { ...headers, ...init.headers } })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const { installs } = await ask(`${ROOT}/installs`)
  const [{ app_id }] = installs
  const opened = await ask(`${ROOT}/windows`, { method: 'POST', body: JSON.stringify({ app_id }) })
  async function call(ns: string, method: string, args: object) {
    const { window_uuid, token } = opened
    const { result } = await ask(`${ROOT}/runtime/rpc`, {
      method: 'POST',
      headers: { 'x-svc-app-token': token },
      body: JSON.stringify({ id: '1', window_uuid, ns, method, args }),
    })
    return result
  }

  const event = eventOf(`${url}${routes['calls.events'].path}?windows=${opened.window_uuid}`, url, 'Renamed')
  await event.open
  await call('storage', 'set', { key: 'a', value: whole.kept })
  const { value } = await call('storage', 'get', { key: 'a' })
  const { size_bytes } = await call('storage', 'set', { key: 'b', value: 'x'.repeat(LONG_CHARS) })
  const { sum } = await call('tools', 'invoke', { tool_id: 'sums', method: 'add', args: { a: 2, b: 3 } })
  await call('window', 'set_title', { title: 'Renamed' })
  const image = await uploaded(url, call)
  return { kept: value, longBytes: size_bytes, sum, image, event: await event.seen }
}

/** Uploads an image; returns the type that it is kept with. */
async function uploaded(
  url: string,
  call: (ns: string, method: string, args: object) => Promise<Record<string, unknown>>,
): Promise<unknown> {
  const bytes = Buffer.alloc(IMAGE_BYTES)
  bytes.write('GIF89a\x03\0\x02\0', 'latin1')
  const args = { mime: 'image/gif', purpose: 'attachment', size_bytes: bytes.length }
  const { upload_url, file_ref } = await call('upload', 'negotiate', args)
  const put = await fetch(new URL(String(upload_url), url), {
    method: 'PUT',
    body: bytes,
    headers: { origin: url },
  })
  if (!put.ok) throw new Error(`the upload: ${put.status} ${await put.text()}`)
  return (await call('upload', 'confirm', { file_ref })).mime
}

/** Opens the events of a window: `open` once it has begun, `seen` whether a text came in time. */
function eventOf(url: string, origin: string, text: string): { open: Promise<void>; seen: Promise<boolean> } {
  const open = Promise.withResolvers<void>()
  async function read(): Promise<boolean> {
    const response = await fetch(url, {
      headers: { origin, accept: 'text/event-stream' },
      signal: AbortSignal.timeout(EVENT_MS),
    })
    if (!response.ok || !response.body) throw new Error(`the events: ${response.status}`)
    let heard = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      open.resolve()
      heard += chunk
      if (heard.includes(text)) return true
    }
    return false
  }
  const seen = read().catch((error: Error) => {
    open.reject(error)
    if (error.name === 'TimeoutError') return false
    throw error
  })
  // It is asked for after others, which may fail first.
  seen.catch(() => undefined)
  return { open: open.promise, seen }
}
