import { type Refusal, refuse } from '@svc/contract'
import type { Settings } from '../house.ts'
import type { Head } from './head.ts'
import { paths } from './paths.ts'

/** Judges where a request comes from (design §8). */
export interface Guard {
  /** `null` when `Host` is on the allow-list, else the refusal. */
  host(head: Head): Refusal | null
  /** `null` when `Origin` may use cookie routes, else the refusal. */
  origin(head: Head): Refusal | null
  /** The origin that a request came to: a listed one, or `http` at its `Host`. */
  own(head: Head): string
  /** The page origins that may frame a bundle, as CSP source expressions. */
  pages(head: Head): string[]
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/

/** Opens the guard: loopback hosts, and those of the configured origins. */
export function openGuard(settings: Pick<Settings, 'origins' | 'bundleOrigin'>): Guard {
  const origins = new Set(settings.origins)
  const byHost = new Map([...origins].map((origin) => [new URL(origin).host, origin]))
  const bundleHost = settings.bundleOrigin === null ? undefined : new URL(settings.bundleOrigin).host
  const own = (head: Head) => byHost.get(head.get('host') ?? '') ?? `http://${head.get('host')}`
  return {
    host(head) {
      const host = head.get('host')
      // The second origin is there for bundle files; a host that answered all there would separate nothing.
      if (host !== undefined && host === bundleHost && !byHost.has(host))
        return head.url.startsWith(paths.bundles) ? null : onlyBundles(host)
      if (host !== undefined && (LOOPBACK.test(host) || byHost.has(host))) return null
      return refuse(
        'permission_denied',
        `Host must be one that this host serves, got ${JSON.stringify(host ?? null)}`,
        {
          denied_by: 'host',
          hint: 'Name the page in createHost({ origins }).',
        },
      )
    },
    origin(head) {
      const origin = head.get('origin')
      if (origin !== undefined && (isOwn(origin, head.get('host')) || origins.has(origin))) return null
      return refuse(
        'permission_denied',
        `Origin must be a page of this host, got ${JSON.stringify(origin ?? null)}`,
        {
          denied_by: 'origin',
          hint: 'Name the page in createHost({ origins }); a client without a browser sends the Origin itself.',
        },
      )
    },
    own,
    pages: (head) => [...new Set([...origins, own(head)])],
  }
}

const onlyBundles = (host: string) =>
  refuse('permission_denied', `${host} serves bundle files and nothing else`, { denied_by: 'host' })

/** Whether a page of this very host asks: behind a proxy that ends TLS its origin is `https`. */
const isOwn = (origin: string, host: string | undefined) =>
  origin === `http://${host}` || origin === `https://${host}`
