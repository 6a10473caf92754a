import type { WindowEvent } from '@svc/contract'
import { EVENT_WINDOWS_MAX } from '@svc/contract/browser'
import type { Bridge, BridgeEvents, BridgeOptions, Into } from './bridge.ts'
import { failure } from './bridge-error.ts'
import { createCallSocket } from './call-socket.ts'
import { carryByPost } from './carry.ts'
import { systemClock } from './clock.ts'
import { createEmitter } from './emitter.ts'
import { createEventStream } from './event-stream.ts'
import { listenForHellos } from './handshake.ts'
import { entryAddress } from './iframe.ts'
import { createLanes } from './lanes.ts'
import { createPost } from './post.ts'
import { createRoutes, type WindowRecord } from './routes.ts'
import { createTokenKeeper, type TokenGrant } from './token.ts'
import { createWindow, type MountedWindow, type SvcWindow } from './window.ts'

/**
 * Makes the bridge of a page: it puts sandboxed apps into iframes, carries their calls to the host, and the
 * host's events to them. A window's token and the cookie never enter an iframe.
 */
export function createBridge({
  baseUrl = '',
  jobs = false,
  fetch = globalThis.fetch.bind(globalThis),
  clock = systemClock,
  random = Math.random,
  onError = reportError,
}: BridgeOptions = {}): Bridge {
  const page = globalThis.document
  const base = new URL(baseUrl || '/', page.baseURI).href
  const over = new AbortController()
  const routes = createRoutes({ baseUrl, fetch, clock, signal: over.signal })
  const emitter = createEmitter<BridgeEvents>(onError)
  const mounted = new Map<string, MountedWindow>()
  /** The windows on the page that the host knows. */
  const followed = new Set<string>()
  const socket = createCallSocket(
    new URL(routes.callsUrl, base).href.replace(/^http/, 'ws'),
    carryByPost(routes.rpcUrl, fetch),
    clock,
  )
  const lanes = createLanes(socket.isOpen)
  let signedOut = false
  const stream = createEventStream({
    url: routes.eventsUrl,
    jobs,
    fetch,
    clock,
    random,
    onEvent,
    onReset() {
      for (const window of mounted.values()) window.reset()
      emitter.emit('reset')
    },
    onCalls: socket.open,
    onLost() {
      socket.close()
      emitter.emit('host_lost')
    },
    onBack() {
      emitter.emit('host_back')
      checkWindows()
    },
    onRefused(status) {
      if (status === 401) tellSignedOut()
      else checkWindows()
    },
  })
  const deafen = listenForHellos(window, () => mounted.values())

  /** Once, until a token is renewed again. */
  function tellSignedOut(): void {
    if (!signedOut) emitter.emit('signed_out')
    signedOut = true
  }

  const watch = () => stream.watch([...followed])

  /** A host that came back may have forgotten windows: renewing their tokens tells. */
  function checkWindows(): void {
    for (const { token } of mounted.values()) token.renew().catch(() => undefined)
  }

  function onEvent(text: string): void {
    let event: WindowEvent
    try {
      event = JSON.parse(text) as WindowEvent
    } catch (error) {
      onError(error)
      return
    }
    if (event.type === 'rpc.stream') stream.passed(event)
    mounted.get(event.window_uuid)?.event(event, text)
    emitter.emit(event.type, event)
  }

  function place(record: Omit<WindowRecord, 'status'>, first: TokenGrant, { into, title }: Into): SvcWindow {
    const uuid = record.window_uuid
    room()
    const entry = entryAddress(record.entry_url, base)
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
        followed.delete(uuid)
        watch()
        created.lost()
        emitter.emit('window_lost', created.handle)
      },
    })
    const created = createWindow(page, {
      record,
      entry,
      base,
      token,
      lanes,
      clock,
      onError,
      post: createPost({ carry: socket.carry, windowUuid: uuid, token, clock }),
      closeRoute: routes.close,
      onLeave() {
        mounted.delete(uuid)
        followed.delete(uuid)
        watch()
        if (mounted.size === 0) socket.close()
      },
    })
    if (title !== undefined) created.iframe.title = title
    mounted.set(uuid, created)
    followed.add(uuid)
    watch()
    into.append(created.iframe)
    return created.handle
  }

  /** Whether a window may be put on the page now. */
  function room(): void {
    over.signal.throwIfAborted()
    if (mounted.size >= EVENT_WINDOWS_MAX)
      throw failure('rate_limited', `a page holds at most ${EVENT_WINDOWS_MAX} windows`)
  }

  /** Nothing that happens to a window between its opening and the first connection that follows it is lost. */
  async function held({ into }: Into, open: () => Promise<SvcWindow>): Promise<SvcWindow> {
    room()
    // What is no element throws before anything is opened.
    into.append()
    const release = await stream.hold()
    try {
      return await open()
    } finally {
      release()
      if (mounted.size === 0) socket.close()
    }
  }

  return {
    mountWindow: ({ appId, view, payload, ...into }) =>
      held(into, async () => {
        const opened = await routes.open({
          app_id: appId,
          ...(view !== undefined && { view }),
          ...(payload !== undefined && { payload }),
        })
        try {
          return place({ ...opened, app_id: appId }, opened, into)
        } catch (error) {
          routes.close(opened.window_uuid).catch(() => undefined)
          throw error
        }
      }),
    attachWindow: ({ windowUuid, ...into }) =>
      held(into, async () => {
        const [list, grant] = await Promise.all([routes.list(), routes.renew(windowUuid)])
        const record = list.find(({ window_uuid }) => window_uuid === windowUuid)
        if (!record) throw failure('not_found', `the host has no open window ${windowUuid}`)
        return place(record, grant, into)
      }),
    listWindows: routes.list,
    get windows() {
      return [...mounted.values()].map(({ handle }) => handle)
    },
    on: emitter.on,
    dispose() {
      over.abort(failure('bridge_reset', 'the bridge was disposed'))
      deafen()
      for (const { handle } of [...mounted.values()]) handle.detach()
      stream.close()
      socket.close()
    },
  }
}
