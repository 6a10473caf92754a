import {
  bundleEvents,
  CLOSE_REASON_MAX_CHARS,
  FRAME_LOOK_MS,
  FRAME_SILENT_LOOKS,
  REFUSAL_READ_MAX_CHARS,
  ROUTE_TIMEOUT_MS,
} from '@svc/contract/browser'
import type { SvcWindow, WindowEvents } from './bridge.ts'
import { BridgeError, failure } from './bridge-error.ts'
import { setDeadline } from './deadline.ts'
import { createDocumentLink } from './document-link.ts'
import { createEmitter } from './emitter.ts'
import { createFloodGate } from './flood-gate.ts'
import { createForward, type Post } from './forward.ts'
import type { HelloListener } from './handshake.ts'
import type { HostEvent } from './host-event.ts'
import { type Addresses, createIframe } from './iframe.ts'
import type { Lanes } from './lanes.ts'
import type { Routes, WindowRecord } from './routes.ts'
import { type Call, isRefusal, readResponse } from './texts.ts'
import type { TokenKeeper } from './token.ts'
import { type FrameParts, type FrameWatch, watchFrame } from './watch-frame.ts'

/** A window as the bridge holds it. */
export interface MountedWindow extends HelloListener {
  readonly handle: SvcWindow
  readonly token: TokenKeeper
  /** The wait for the first document. */
  readonly frame: FrameWatch
  /** Tells what happened before its page had the handle, and from then on at once. */
  tell(): void
  /** An event of the host about this window. */
  event(event: HostEvent): void
  reset(): void
  lost(): void
}

/** What a window needs. */
export interface WindowParts extends FrameParts {
  readonly record: Omit<WindowRecord, 'status'>
  readonly addresses: Addresses
  readonly token: TokenKeeper
  readonly lanes: Lanes
  readonly post: Post
  readonly routes: Routes
  /** The window left the page. */
  readonly onLeave: (window: MountedWindow) => void
}

/** Makes a window: its iframe, the link to the document in it, its calls, and its handle. */
export function createWindow(page: Document, parts: WindowParts): MountedWindow {
  const { record, token, lanes, clock } = parts
  const windowUuid = record.window_uuid
  const iframe = createIframe(page, parts.mount.title ?? record.title)
  const emitter = createEmitter<WindowEvents>(parts.onError)
  const tell = emitter.hold()
  const forward = createForward(lanes, parts.post, clock)
  let { title, geometry } = record
  let { entry } = parts
  let ownCalls = 0
  /** Aborts when the window leaves the page. */
  const over = new AbortController()
  const frame = watchFrame(page, parts, over.signal)
  const { gate, renew } = createFloodGate(clock, (sentence) => {
    const error = failure('rate_limited', `window ${windowUuid} was closed: its frame sent ${sentence}`)
    parts.routes.close(windowUuid, error.message).catch(() => undefined)
    parts.onError(error)
    closed(error.message, error)
  })

  const link = createDocumentLink({
    forward,
    clock,
    gate,
    onConnected(epoch) {
      emitter.emit('connected', epoch)
      frame.arrive()
    },
    onDisconnected: () => emitter.emit('disconnected'),
    onAnswer: noteRefusal,
  })
  iframe.addEventListener('load', link.loaded, over)
  let silent = false
  /** An iframe that page code took out of its document takes the app's document with it, and says nothing. */
  let looking = clock.setTimeout(look, FRAME_LOOK_MS)
  function look(): void {
    renew()
    if (!iframe.isConnected) link.end()
    if (link.look() > FRAME_SILENT_LOOKS !== silent) {
      silent = !silent
      if (silent) parts.addresses.moveOn()
      emitter.emit('responds', !silent)
    }
    looking = clock.setTimeout(look, FRAME_LOOK_MS)
  }

  function noteRefusal({ id, ns, method }: Call, text: string): void {
    if (!isRefusal(text, id) || text.length > REFUSAL_READ_MAX_CHARS) return
    const response = readResponse(text)
    if (response.ok) return
    const { hint } = new BridgeError(response.error)
    emitter.emit('refused', { ...response.error, ns, method, hint })
  }

  async function ask(method: string, args: object): Promise<Readonly<Record<string, unknown>>> {
    const { signal, end } = setDeadline(clock, ROUTE_TIMEOUT_MS, over.signal)
    try {
      const text = await new Promise<string>((answer, reject) => {
        signal.throwIfAborted()
        const call: Call = {
          answer,
          id: `page${++ownCalls}`,
          ns: 'window',
          method,
          args: JSON.stringify(args),
        }
        signal.onabort = () => {
          forward.drop(call)
          reject(signal.reason)
        }
        forward.take([call])
      })
      const response = readResponse(text)
      if (response.ok) return response.result
      throw new BridgeError(response.error)
    } finally {
      // Else the window would keep each call of its page for as long as it is open.
      signal.onabort = null
      end()
    }
  }

  function leave(why = failure('bridge_reset', `window ${windowUuid} is not on the page any more`)): void {
    if (over.signal.aborted) return
    over.abort(why)
    clock.clearTimeout(looking)
    link.end()
    forward.close()
    token.stop(why)
    iframe.remove()
    parts.onLeave(mounted)
  }

  function closed(reason: string | null, why?: BridgeError): void {
    if (over.signal.aborted) return
    // A window that was closed while its page waited for it is told of by its event.
    if (!why) frame.arrive()
    leave(why)
    emitter.emit('closed', { reason })
  }

  const handle: SvcWindow = {
    windowUuid,
    appId: record.app_id,
    viewMeta: record.view_meta,
    iframe,
    get geometry() {
      return geometry
    },
    get title() {
      return title
    },
    get connected() {
      return link.connected
    },
    on: emitter.on,
    async resize({ w, h }) {
      const size = (await ask('resize', { w, h })) as { w: number; h: number }
      geometry = { ...geometry, ...size }
      return size
    },
    async focus() {
      await ask('focus', {})
    },
    setContext: link.setContext,
    reload(entryUrl) {
      if (over.signal.aborted) return
      // A path is one at the origin of the app, which may be another than that of the page.
      entry = parts.addresses.of(new URL(entryUrl ?? entry, entry).href)
      iframe.src = entry
    },
    async close(said, options) {
      if (over.signal.aborted) return true
      const reason = said?.slice(0, CLOSE_REASON_MAX_CHARS) || null
      if (!options?.force && !(await link.mayClose(reason))) return false
      await parts.routes.close(windowUuid, reason)
      closed(reason)
      return true
    },
    detach: () => leave(),
  }

  const mounted: MountedWindow = {
    handle,
    iframe,
    token,
    frame,
    tell,
    gate,
    hello: link.hello,
    event({ head: { type }, text, read }) {
      if (type === 'title_changed') {
        title = read<typeof type>().title
        iframe.title = title
      } else if (type === 'geometry_changed' || type === 'window_focus_changed')
        geometry = read<typeof type>().geometry
      if (bundleEvents.has(type)) link.event(text)
      emitter.emitRead(type, read)
      if (type === 'close_view') closed(read<typeof type>().reason)
    },
    reset: link.reset,
    lost: () => emitter.emit('lost'),
  }
  iframe.src = entry
  return mounted
}
