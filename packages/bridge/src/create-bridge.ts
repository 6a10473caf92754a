import { EVENT_WINDOWS_MAX, FRAME_LOAD_MS } from '@svc/contract/browser'
import { CALL_SOCKET_PROTOCOL } from '@svc/contract/wire'
import type { Bridge, BridgeEvents, BridgeOptions } from './bridge.ts'
import { failure } from './bridge-error.ts'
import { carryByPost } from './carry.ts'
import { systemClock } from './clock.ts'
import { fetchAgain } from './closing.ts'
import { createEmitter } from './emitter.ts'
import { createEventStream } from './event-stream.ts'
import { followPage, type PageWindow } from './follow-page.ts'
import { helloListener } from './handshake.ts'
import { readHostEvent } from './host-event.ts'
import { createAddresses } from './iframe.ts'
import { createLanes } from './lanes.ts'
import { pageSocket } from './page-socket.ts'
import { createPost } from './post.ts'
import { createRoutes, type NewWindow } from './routes.ts'
import { signedFetch } from './signed-fetch.ts'
import type { SvcWindow } from './svc-window.ts'
import { createTokenKeeper, type TokenGrant } from './token.ts'
import type { Mount } from './watch-frame.ts'
import { createWindow } from './window.ts'
import type { MountedWindow } from './window-parts.ts'

/**
 * Makes the bridge of a page: it puts sandboxed apps into iframes, carries their calls to the host, and the
 * host's events to them. A window's token and the cookie never enter an iframe.
 *
 * @example
 * const bridge = createBridge({ onError: console.error })
 * const win = await bridge.mountWindow({ into: document.querySelector('main')!, appId })
 */
export const createBridge = (options?: BridgeOptions): Bridge => openBridge(window, options)

/** Makes the bridge of a page whose window is given: that of the document, or a substitute of a test. */
export function openBridge(
  view: PageWindow,
  {
    baseUrl = '',
    token,
    jobs = false,
    keys = [],
    isolated = false,
    fetch: fetchOnce = globalThis.fetch.bind(globalThis),
    clock = systemClock,
    random = Math.random,
    onError = (error) => reportError(error),
  }: BridgeOptions = {},
): Bridge {
  const base = new URL(baseUrl || '/', view.document.baseURI).href
  const over = new AbortController()
  const protocols = [CALL_SOCKET_PROTOCOL]
  const fetch = fetchAgain(signedFetch(token, fetchOnce, clock, protocols), clock)
  const routes = createRoutes({ base, fetch, clock, signal: over.signal })
  const emitter = createEmitter<BridgeEvents>(onError)
  const mounted = new Map<string, MountedWindow>()
  const addresses = createAddresses(base)
  const socket = pageSocket({
    url: `${routes.runtime}/calls`.replace(/^http/, 'ws'),
    protocols,
    byPost: carryByPost(`${routes.runtime}/rpc`, fetch),
    fetch,
    clock,
    onSettled: () => stream.move(socket.isOpen()),
  })
  followPage(view, over, {
    doubt() {
      socket.doubt()
      stream.ask()
    },
    shown: () => stream.ask(true),
    gone() {
      for (const [uuid, { handle, attached }] of mounted)
        if (!handle.keep) routes.close(uuid, null, attached).catch(() => undefined)
    },
  })
  const lanes = createLanes(socket.isOpen)
  const agreed = new Set<string>()
  let signedOut = false
  const stream = createEventStream({
    url: `${routes.runtime}/events`,
    jobs,
    open: socket.events,
    clock,
    random,
    onEvent,
    onReset() {
      for (const window of mounted.values()) window.reset()
      emitter.emit('reset')
    },
    onCalls: () => void socket.open().then((comes) => comes && stream.move(socket.isOpen())),
    onLost(isSilent) {
      socket.close()
      const reason = isSilent ? 'silent' : navigator.onLine ? 'unreachable' : 'offline'
      emitter.emit('host_lost', { reason })
    },
    onBack() {
      emitter.emit('host_back')
      checkWindows()
    },
    onRefused: (status) => (status === 401 ? tellSignedOut() : checkWindows()),
    onForeign: ({ status, url }) => emitter.emit('intercepted', { status, url: url || base }),
  })
  const listen = helloListener(over, () => mounted.values())

  /** Once, until a token is renewed again. */
  function tellSignedOut(): void {
    if (!signedOut) emitter.emit('signed_out')
    signedOut = true
  }

  /** Follows a window that the host forgot as well: while it is on the page, the page is told of the host. */
  function watch(): void {
    stream.watch([...mounted.keys()])
    if (mounted.size === 0) socket.close()
  }

  /** A host that came back may have forgotten windows: renewing their tokens tells. */
  function checkWindows(): void {
    for (const { token } of mounted.values()) token.renew().catch(() => undefined)
  }

  function onEvent(text: string): void {
    try {
      const event = readHostEvent(text)
      const { head } = event
      if (head.type === 'rpc.stream') stream.passed(head)
      mounted.get(head.window_uuid as string)?.event(event)
      emitter.emitRead(head.type, event.read)
    } catch (error) {
      onError(error)
    }
  }

  function place(record: NewWindow, first: TokenGrant, mount: Mount, leftMs: number): MountedWindow {
    const uuid = record.window_uuid
    room(mount)
    if (record.entry_url === null)
      throw failure('bundle_not_ready', `the app of window ${uuid} has no document`)
    const entry = addresses.of(record.entry_url)
    if (mounted.has(uuid)) throw failure('conflict', `window ${uuid} is on this page already`)
    const token = createTokenKeeper({
      first,
      clock,
      async renew() {
        const grant = await routes.renew(uuid)
        signedOut = false
        return grant
      },
      onFailure(error) {
        if (error.code === 'invalid_token') tellSignedOut()
        if (error.code !== 'not_found') return
        created.lost()
        emitter.emit('window_lost', created.handle)
      },
    })
    const created = createWindow(mount.into.ownerDocument, {
      record,
      attached: first.attached ?? 0,
      entry,
      addresses,
      agreed,
      keys,
      isolated,
      listen,
      token,
      lanes,
      clock,
      onError,
      post: createPost({ carry: socket.carry, windowUuid: uuid, token, clock }),
      routes,
      mount,
      leftMs,
      onLeave() {
        mounted.delete(uuid)
        watch()
      },
    })
    mounted.set(uuid, created)
    watch()
    mount.into.append(created.iframe)
    // Nothing loads outside of a document.
    if (!created.iframe.isConnected) created.frame.arrive()
    return created
  }

  /** Whether a window may be put on the page now. */
  function room({ signal }: Mount): void {
    over.signal.throwIfAborted()
    signal?.throwIfAborted()
    if (mounted.size >= EVENT_WINDOWS_MAX)
      throw failure('rate_limited', `a page holds at most ${EVENT_WINDOWS_MAX} windows`)
  }

  /** Puts a window on the page, and waits for its document; one that was opened for this is closed where that fails. */
  async function put(
    mount: Mount,
    isNew: boolean,
    open: (ms: number) => Promise<readonly [NewWindow, TokenGrant]>,
  ): Promise<SvcWindow> {
    room(mount)
    const untilMs = clock.now() + (mount.timeoutMs ?? FRAME_LOAD_MS)
    const leftMs = () => Math.max(0, untilMs - clock.now())
    // What is not an element throws before anything is opened.
    mount.into.append()
    // Nothing that happens to a window between its opening and the first connection that follows it is lost.
    const release = await stream.hold()
    let record: NewWindow | undefined
    let created: MountedWindow | undefined
    try {
      const [opened, grant] = await open(leftMs())
      record = opened
      created = place(opened, grant, mount, leftMs())
      release()
      await created.frame.arrived
    } catch (error) {
      created?.handle.detach()
      if (isNew && record) routes.close(record.window_uuid, null).catch(() => undefined)
      throw error
    } finally {
      release()
      watch()
    }
    // Whoever waits for the window listens to it before it tells anything.
    clock.setTimeout(created.tell, 0)
    return created.handle
  }

  return {
    mountWindow: ({ appId, view, payload, ...mount }) =>
      put({ keep: false, ...mount }, true, async (ms) => {
        const opened = await routes.open({ app_id: appId, view, payload }, ms, mount.signal)
        return [{ ...opened, app_id: appId }, opened]
      }),
    attachWindow: ({ windowUuid, ...mount }) =>
      put(mount, false, () => Promise.all([routes.find(windowUuid), routes.renew(windowUuid, true)])),
    listWindows: routes.list,
    get windows() {
      return [...mounted.values()].map(({ handle }) => handle)
    },
    on: emitter.on,
    dispose() {
      over.abort(failure('bridge_reset', 'the bridge was disposed'))
      for (const { handle } of mounted.values()) handle.detach()
      stream.close()
      socket.close()
    },
  }
}
