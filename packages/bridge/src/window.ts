import {
  CLOSE_REASON_MAX_CHARS,
  FRAME_LOOK_MS,
  FRAME_SILENT_LOOKS,
  REFUSAL_READ_MAX_CHARS,
  ROUTE_TIMEOUT_MS,
} from '@svc/contract/browser'
import { bundleEvents } from '@svc/contract/lanes'
import { asBridgeError, BridgeError, failure } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import { setDeadline } from './deadline.ts'
import { createDocumentLink } from './document-link.ts'
import { createEmitter } from './emitter.ts'
import { createFloodGate } from './flood-gate.ts'
import { createForward } from './forward.ts'
import { againAt, createIframe } from './iframe.ts'
import { followPlace } from './place.ts'
import type { SvcWindow, WindowEvents } from './svc-window.ts'
import { type Call, isRefusal, readResponse } from './texts.ts'
import { watchFrame } from './watch-frame.ts'
import type { MountedWindow, WindowParts } from './window-parts.ts'
import type { Wishes } from './wishes.ts'

/** What the part for wishes has in common with this one. */
const tools = {
  asBridgeError,
  failure,
  readResponse,
  waitFor: (clock: Clock, over: AbortSignal) => setDeadline(clock, ROUTE_TIMEOUT_MS, over),
}

const STRAY = { hint: 'Nothing of it ran. Uninstall the app if you do not trust it.' }

/** Makes a window: its iframe, the link to the document in it, its calls, and its handle. */
export function createWindow(page: Document, parts: WindowParts): MountedWindow {
  const { record, token, lanes, clock, onError } = parts
  const windowUuid = record.window_uuid
  const iframe = createIframe(page, record, parts)
  const emitter = createEmitter<WindowEvents>(onError)
  const tell = emitter.hold()
  const forward = createForward(lanes, parts.post, clock)
  let { title, geometry, entry } = { ...record, ...parts }
  let ownCalls = 0
  /** Aborts when the window leaves the page. */
  const over = new AbortController()
  const frame = watchFrame(page, iframe, parts, over.signal)
  const follow = followPlace(iframe, clock, over.signal, () => againAt(entry))
  const { gate, renew } = createFloodGate(clock, (sentence) => expel('rate_limited', `sent ${sentence}`))

  const link = createDocumentLink({
    forward,
    clock,
    gate,
    onConnected(epoch) {
      emitter.emit('connected', epoch)
      frame.arrive()
    },
    onDisconnected() {
      absent = 0
      emitter.emit('disconnected')
    },
    onAnswer: noteAnswer,
  })
  /** The window that the iframe is in: of the page, of a frame or a popup of it. */
  let view = page.defaultView
  if (view) parts.listen(view)
  else frame.gone()
  /** Who moved the iframe to another window began a document there that nobody heard. */
  function settle(): void {
    const now = iframe.ownerDocument.defaultView
    if (!iframe.isConnected || !now) link.end()
    if (view === now) return
    view = now
    if (now) {
      parts.listen(now)
      handle.reload()
    } else {
      // Its user closed it, and nothing comes into it any more.
      absent = FRAME_SILENT_LOOKS - 1
      frame.gone()
    }
  }
  iframe.addEventListener('load', link.loaded, over)
  iframe.addEventListener('load', settle, over)
  /** Whether its document gives no sign of life, and the looks since one went. */
  let [silent, absent] = [false, Number.NaN]
  /** An iframe that page code took out of its document takes the app's document with it, and says nothing. */
  let looking = clock.setTimeout(look, FRAME_LOOK_MS)
  function look(): void {
    renew()
    settle()
    if (++absent === FRAME_SILENT_LOOKS && !link.connected) emitter.emit('ended')
    if (link.look() > FRAME_SILENT_LOOKS !== silent) {
      silent = !silent
      if (silent) parts.addresses.moveOn()
      emitter.emit('responds', !silent)
    }
    if (!over.signal.aborted) looking = clock.setTimeout(look, FRAME_LOOK_MS)
  }

  function noteAnswer({ id, ns, method }: Call, text: string): void {
    const isWish = ns === 'window' && (method === 'open_link' || method === 'download')
    if (!(isWish || isRefusal(text, id)) || text.length > REFUSAL_READ_MAX_CHARS) return
    const response = readResponse(text)
    if (!response.ok) refused(new BridgeError(response.error), method, ns)
    else void carryOut((wishes) => wishes.grant(method, response.result))
  }

  const refused = ({ code, message, details, hint }: BridgeError, method: string, ns = 'window') =>
    emitter.emit('refused', { code, message, details, ns, method, hint })

  /** What pages and apps rarely want is a part of its own, which is loaded when it is first needed. */
  async function load() {
    try {
      const { createWishes } = await import('./wishes.ts')
      const { emit: tell } = emitter
      const nextId = () => `page${++ownCalls}`
      return createWishes({
        ...parts,
        ...tools,
        page,
        appId: record.app_id,
        forward,
        nextId,
        over,
        refused,
        tell,
      })
    } catch (error) {
      throw asBridgeError(error)
    }
  }
  const carryOut = (run: (wishes: Wishes) => void) => load().then(run).catch(onError)
  const ask = async (method: string, args: object) => (await load()).ask(method, args)

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
    emitter.emit('closed', { reason, ...(why && { error: why }) })
  }

  /** Closes the window for what its frame did. */
  function expel(code: string, did: string, details?: { readonly hint: string }): void {
    const error = failure(code, `window ${windowUuid} was closed: its frame ${did}`, details)
    parts.routes.close(windowUuid, error.message).catch(() => undefined)
    onError(error)
    closed(error.message, error)
  }

  const handle: SvcWindow = {
    windowUuid,
    appId: record.app_id,
    viewMeta: record.view_meta,
    keep: parts.mount.keep ?? true,
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
    focus: () => ask('focus', {}).then(() => undefined),
    setContext: link.setContext,
    reload(entryUrl) {
      if (over.signal.aborted) return
      if (absent > 0) absent = 0
      // A path is one at the origin of the app, which may be another than that of the page.
      entry = parts.addresses.of(new URL(entryUrl ?? entry, entry).href)
      iframe.src = againAt(entry)
      // A browser asks a document before it goes: one that hangs goes with its frame.
      if (silent) iframe.parentNode?.insertBefore(iframe, iframe.nextSibling)
    },
    async close(said, options) {
      if (over.signal.aborted) return true
      const reason = said?.slice(0, CLOSE_REASON_MAX_CHARS) || null
      if (!options?.force) link.look()
      if (!options?.force && !(await link.mayClose(reason))) return false
      // It hangs, and nobody has noticed yet.
      if (link.look() > 1) parts.addresses.moveOn()
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
    attached: parts.attached,
    frame,
    tell,
    gate,
    hello: link.hello,
    stray: () => expel('permission_denied', 'was led to the document of another window', STRAY),
    link: (url) => carryOut((wishes) => wishes.link(url)),
    file: (file, port) => carryOut((wishes) => wishes.file(file, port)),
    place(port) {
      frame.begin()
      follow(port)
    },
    key: (name) => parts.keys.includes(name) && emitter.emit('key', name),
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
