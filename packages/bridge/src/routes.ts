import { CLIENT_AGENT_TIMEOUT_MS, ROUTE_TIMEOUT_MS } from '@svc/contract/browser'
import type { ErrorBody, Geometry, WindowHelloResult } from '@svc/contract/client'
import { type RouteAnswer, type RouteInputs, type RouteKey, routeCall } from '@svc/contract/route-client'
import { asBridgeError, BridgeError, failure, notTheHost } from './bridge-error.ts'
import type { Clock } from './clock.ts'
import { setDeadline } from './deadline.ts'
import type { TokenGrant } from './token.ts'

/** The view that a window shows, as its manifest declares it: name, title, size and bounds in CSS pixels. */
export type ViewMeta = WindowHelloResult['view_meta']

/** A window as the host lists it. */
export interface WindowRecord {
  /** The window's id: `attachWindow({ into, windowUuid: window_uuid })` puts it on this page. */
  readonly window_uuid: string
  /** The app that it shows. */
  readonly app_id: string
  /** The version of the app that it runs. */
  readonly version?: string
  /** The address of the app's document, for this window alone; `null`: its version has none any more. */
  readonly entry_url: string | null
  /** The name of its view. */
  readonly view?: string
  /** The bounds of its view. */
  readonly view_meta: ViewMeta
  /** Its size in CSS pixels, and its place in the stack. */
  readonly geometry: Geometry
  /** Its title. */
  readonly title: string
  /** What its app may ask of the browser (`ui.browser`). Default: nothing. */
  readonly browser?: readonly string[]
  /** `open`, or `stale` where it has been silent for 5 minutes: its next call wakes it. */
  readonly status?: string
}

/** A window that goes on the page. */
export type NewWindow = Omit<WindowRecord, 'status'>

/** What opening a window answers. */
export type OpenedWindow = Omit<WindowRecord, 'app_id' | 'entry_url'> & {
  readonly entry_url: string
} & TokenGrant

/** The host's page routes that the bridge uses. */
export interface Routes {
  /** Where calls and events are asked for. */
  readonly runtime: string
  /** Opens a window; one that is answered after `ms`, or when nobody waits any more, is closed. */
  open(
    request: { app_id: string; view: string | undefined; payload: unknown },
    ms: number,
    wanted?: AbortSignal,
  ): Promise<OpenedWindow>
  list(): Promise<readonly WindowRecord[]>
  /** @throws BridgeError `not_found` for a window that is not open. */
  find(windowUuid: string): Promise<WindowRecord>
  /** A token of a window, which the page may `attach` with it. */
  renew(windowUuid: string, attach?: boolean): Promise<TokenGrant>
  /** Closes a window, with `attached` where no page attached it since; one that is gone already counts as closed. */
  close(windowUuid: string, reason: string | null, attached?: number): Promise<void>
}

/** What the routes need; `signal` ends them all. */
export interface RouteParts {
  /** The host's address, with its base path. */
  readonly base: string
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Speaks the host's page routes: JSON, the user's cookie, an answer within 10 s. */
export function createRoutes({ base, fetch, clock, signal }: RouteParts): Routes {
  const root = base.replace(/(?<!\/)\/*$/, '')

  const ask = <Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>) =>
    askFor(ROUTE_TIMEOUT_MS, key, ...input)

  async function askFor<Key extends RouteKey>(
    ms: number,
    key: Key,
    ...input: RouteInputs<Key>
  ): Promise<RouteAnswer<Key>> {
    const { method, path, body } = routeCall(key, ...input)
    const url = root + path
    const deadline = setDeadline(clock, ms, signal)
    try {
      const response = await fetch(url, {
        method,
        credentials: 'include',
        redirect: 'manual',
        // A page that goes closes what it showed.
        keepalive: method === 'DELETE',
        signal: deadline.signal,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const text = await response.text()
      const answer = read(text || (method === 'DELETE' ? '{}' : ''))
      if (answer && response.ok) return answer as RouteAnswer<Key>
      const { error } = (answer ?? {}) as { error?: ErrorBody }
      if (typeof error?.code !== 'string') throw notTheHost(response, url)
      throw new BridgeError({ ...error, details: { http_status: response.status, ...error.details } })
    } catch (error) {
      throw asBridgeError(error)
    } finally {
      deadline.end()
    }
  }

  const list = async () => (await ask('GET /api/v1/svc-apps/windows')).windows

  async function close(window_uuid: string, reason: string | null, attached?: number): Promise<void> {
    try {
      await ask('DELETE /api/v1/svc-apps/windows/{window_uuid}', {
        params: { window_uuid },
        query: { reason: reason ?? undefined, attached },
      })
    } catch (error) {
      if ((error as BridgeError).code !== 'not_found') throw error
    }
  }

  return {
    runtime: `${root}/api/v1/svc-apps/runtime`,
    async open(body, ms, wanted = signal) {
      wanted.throwIfAborted()
      const opening = askFor(CLIENT_AGENT_TIMEOUT_MS, 'POST /api/v1/svc-apps/windows', { body })
      const { signal: late, end } = setDeadline(clock, ms, wanted)
      const tooLate = new Promise<never>((_, reject) => {
        late.onabort = () => reject(late.reason)
      })
      try {
        return await Promise.race([opening, tooLate])
      } catch (error) {
        // A host that takes its time has opened it all the same.
        opening.then(({ window_uuid }) => close(window_uuid, null)).catch(() => undefined)
        throw error
      } finally {
        end()
      }
    },
    list,
    async find(windowUuid) {
      const record = (await list()).find(({ window_uuid }) => window_uuid === windowUuid)
      if (!record) throw failure('not_found', `the host has no open window ${windowUuid}`)
      return record
    },
    renew: (window_uuid, attach) =>
      ask('POST /api/v1/svc-apps/windows/{window_uuid}/token', {
        params: { window_uuid },
        body: { attach },
      }),
    close,
  }
}

/** The object in an answer; nothing where it is a page of a proxy. */
function read(text: string): object | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
