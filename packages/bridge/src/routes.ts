import { ROUTE_TIMEOUT_MS } from '@svc/contract/browser'
import type { ErrorBody, Geometry, WindowHelloResult } from '@svc/contract/client'
import { type RouteAnswer, type RouteInputs, type RouteKey, routeCall } from '@svc/contract/route-client'
import { asBridgeError, BridgeError, notTheHost } from './bridge-error.ts'
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
  /** `open`, or `stale` where it has been silent for 5 minutes: its next call wakes it. */
  readonly status?: string
}

/** What opening a window answers. */
export type OpenedWindow = Omit<WindowRecord, 'app_id' | 'entry_url'> & {
  readonly entry_url: string
} & TokenGrant

/** The host's page routes that the bridge uses. */
export interface Routes {
  /** Where calls and events are asked for. */
  readonly runtime: string
  open(request: { app_id: string; view: string | undefined; payload: unknown }): Promise<OpenedWindow>
  list(): Promise<readonly WindowRecord[]>
  renew(windowUuid: string): Promise<TokenGrant>
  /** Closes a window; one that is gone already counts as closed. */
  close(windowUuid: string, reason: string | null): Promise<void>
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
  const root = base.replace(/\/*$/, '')

  async function ask<Key extends RouteKey>(key: Key, ...input: RouteInputs<Key>): Promise<RouteAnswer<Key>> {
    const { method, path, body } = routeCall(key, ...input)
    const url = root + path
    const deadline = setDeadline(clock, ROUTE_TIMEOUT_MS, signal)
    try {
      const response = await fetch(url, {
        method,
        credentials: 'include',
        signal: deadline.signal,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const text = await response.text()
      if (response.ok) return JSON.parse(text || '{}')
      throw refusalOf(response.status, text, url)
    } catch (error) {
      throw asBridgeError(error)
    } finally {
      deadline.end()
    }
  }

  return {
    runtime: `${root}/api/v1/svc-apps/runtime`,
    open: (body) => ask('POST /api/v1/svc-apps/windows', { body }),
    list: async () => (await ask('GET /api/v1/svc-apps/windows')).windows,
    renew: (window_uuid) =>
      ask('POST /api/v1/svc-apps/windows/{window_uuid}/token', { params: { window_uuid }, body: {} }),
    async close(window_uuid, reason) {
      try {
        await ask('DELETE /api/v1/svc-apps/windows/{window_uuid}', {
          params: { window_uuid },
          query: { reason: reason ?? undefined },
        })
      } catch (error) {
        if ((error as BridgeError).code !== 'not_found') throw error
      }
    },
  }
}

/** A route's `{error: {code, message, details?}}` as an error; anything else was not the host. */
function refusalOf(status: number, text: string, url: string): BridgeError {
  try {
    const { error } = JSON.parse(text) as { error?: ErrorBody }
    if (typeof error?.code === 'string' && typeof error.message === 'string')
      return new BridgeError({ ...error, details: { http_status: status, ...error.details } })
  } catch {
    // No JSON: a proxy's page, most likely.
  }
  return notTheHost(status, url)
}
