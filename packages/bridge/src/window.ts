import type { ErrorBody, EventPayloads, Geometry, WindowEvent } from '@svc/contract'
import { pageEvents, ROUTE_TIMEOUT_MS } from '@svc/contract/browser'
import type { HostContext } from '@svc/contract/wire'
import { BridgeError, failure } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import { setDeadline } from './deadline.ts'
import { createDocumentLink } from './document-link.ts'
import { createEmitter } from './emitter.ts'
import { createForward, type Post } from './forward.ts'
import type { Greeted } from './handshake.ts'
import { createIframe, entryAddress } from './iframe.ts'
import type { Lanes } from './lanes.ts'
import type { ViewMeta, WindowRecord } from './routes.ts'
import { type Call, isRefusal, readResponse } from './texts.ts'
import type { TokenKeeper } from './token.ts'

/** A call of the bundle that was refused, for the page to show. */
export interface RefusedCall extends ErrorBody {
  readonly ns: string
  readonly method: string
  readonly hint?: string
}

/** What a window's handle tells: the host's events about it, and what the bridge sees itself. */
export type WindowEvents = {
  [Type in keyof EventPayloads]: (event: WindowEvent<Type & WindowEvent['type']>) => void
} & {
  /** A document in the iframe connected; `epoch` counts them from 1. */
  connected: (epoch: number) => void
  /** It went away, or another took its place. */
  disconnected: () => void
  /** A call of the bundle was refused. */
  refused: (call: RefusedCall) => void
  /** The host does not know the window any more (it restarted without a store, or closed it). */
  lost: () => void
  /** The window was closed, by the user, the bundle or another page; its iframe is gone. */
  closed: (close: { readonly reason: string | null }) => void
}

/** A window on the page. */
export interface SvcWindow {
  readonly windowUuid: string
  readonly appId: string
  readonly viewMeta: ViewMeta
  readonly iframe: HTMLIFrameElement
  readonly geometry: Geometry
  readonly title: string
  /** Whether a document in the iframe is connected. */
  readonly connected: boolean
  /** Listens; answers how to stop. */
  on<Type extends keyof WindowEvents & string>(type: Type, listener: WindowEvents[Type]): () => void
  /** Asks the host for a size in CSS pixels; answers what the view allows. @throws BridgeError */
  resize(size: { readonly w: number; readonly h: number }): Promise<{ w: number; h: number }>
  /** Raises the window above the others of its user. @throws BridgeError */
  focus(): Promise<void>
  /** Tells the bundle the page's theme, language and focus; told again to each new document. */
  setContext(context: HostContext): void
  /** Loads the bundle anew, from another entry where one is given (a pushed draft). */
  reload(entryUrl?: string): void
  /**
   * Closes the window: the bundle is asked first (`beforeClose`, 1 s at most), unless `force` is set. Answers
   * false when it wants to stay. @throws BridgeError when the host cannot be told; the window stays.
   */
  close(reason?: string, options?: { readonly force?: boolean }): Promise<boolean>
  /** Takes the window off the page and leaves it open at the host: `attachWindow` brings it back. */
  detach(): void
}

/** A window as the bridge holds it. */
export interface MountedWindow extends Greeted {
  readonly handle: SvcWindow
  readonly token: TokenKeeper
  /** An event of the host about this window. */
  event(event: WindowEvent, text: string): void
  reset(): void
  lost(): void
}

/** What a window needs. */
export interface WindowParts {
  readonly record: Omit<WindowRecord, 'status'>
  readonly entry: string
  readonly base: string
  readonly token: TokenKeeper
  readonly lanes: Lanes
  readonly post: Post
  readonly clock: Clock
  readonly closeRoute: (windowUuid: string) => Promise<void>
  /** The window left the page. */
  readonly onLeave: (window: MountedWindow) => void
  readonly onError: (error: unknown) => void
}

/** A refusal longer than this is not read for the page's list of refusals. */
const REFUSAL_READ_MAX_CHARS = 65_536

/** Makes a window: its iframe, the link to the document in it, its calls, and its handle. */
export function createWindow(page: Document, parts: WindowParts): MountedWindow {
  const { record, token, lanes, clock } = parts
  const windowUuid = record.window_uuid
  const iframe = createIframe(page, record.title)
  const emitter = createEmitter<WindowEvents>(parts.onError)
  const forward = createForward(lanes, parts.post, clock)
  let { title, geometry } = record
  let { entry } = parts
  let ownCalls = 0
  /** Aborts when the window leaves the page. */
  const over = new AbortController()

  const link = createDocumentLink({
    forward,
    clock,
    onConnected: (epoch) => emitter.emit('connected', epoch),
    onDisconnected: () => emitter.emit('disconnected'),
    onAnswer: noteRefusal,
  })
  iframe.addEventListener('load', () => link.loaded(), over)

  function noteRefusal({ id, ns, method }: Call, text: string): void {
    if (!isRefusal(text, id) || text.length > REFUSAL_READ_MAX_CHARS) return
    const response = readResponse(text)
    if (response.ok) return
    const { hint } = new BridgeError(response.error)
    emitter.emit('refused', { ...response.error, ns, method, ...(hint !== undefined && { hint }) })
  }

  function ask(method: string, args: object): Promise<Readonly<Record<string, unknown>>> {
    return new Promise((resolve, reject) => {
      const { signal, end } = setDeadline(clock, ROUTE_TIMEOUT_MS, over.signal)
      const giveUp = () => {
        end()
        forward.drop(call)
        reject(signal.reason)
      }
      const call: Call = {
        id: `page${++ownCalls}`,
        ns: 'window',
        method,
        args: JSON.stringify(args),
        answer(text) {
          end()
          signal.onabort = null
          const response = readResponse(text)
          if (response.ok) resolve(response.result)
          else reject(new BridgeError(response.error))
        },
      }
      if (signal.aborted) return giveUp()
      signal.onabort = giveUp
      forward.take([call])
    })
  }

  function leave(): void {
    if (over.signal.aborted) return
    over.abort(failure('bridge_reset', `window ${windowUuid} is not on the page any more`))
    link.end()
    forward.close()
    token.stop()
    iframe.remove()
    parts.onLeave(mounted)
  }

  function closed(reason: string | null): void {
    if (over.signal.aborted) return
    leave()
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
      geometry = { ...geometry, w: size.w, h: size.h }
      return { w: size.w, h: size.h }
    },
    async focus() {
      await ask('focus', {})
    },
    setContext: link.setContext,
    reload(entryUrl) {
      if (over.signal.aborted) return
      if (entryUrl !== undefined) entry = entryAddress(entryUrl, parts.base)
      iframe.src = entry
    },
    async close(reason, options) {
      if (over.signal.aborted) return true
      if (!options?.force && !(await link.mayClose(reason ?? null))) return false
      await parts.closeRoute(windowUuid)
      closed(reason ?? null)
      return true
    },
    detach: leave,
  }

  const mounted: MountedWindow = {
    handle,
    iframe,
    token,
    hello: link.hello,
    event(event, text) {
      if (event.type === 'title_changed') {
        title = event.title
        iframe.title = title
      } else if (event.type === 'geometry_changed' || event.type === 'window_focus_changed')
        geometry = event.geometry
      if (!pageEvents.has(event.type)) link.event(text)
      emitter.emit(event.type, event)
      if (event.type === 'close_view') closed(event.reason)
    },
    reset: link.reset,
    lost: () => emitter.emit('lost'),
  }
  iframe.src = entry
  return mounted
}
