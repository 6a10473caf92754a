import { refuse } from '@svc/contract'
import {
  hasPort,
  isOriginPattern,
  labelIn,
  labelOf,
  originOf,
  portOf,
} from '../kernel/request/bundle-origin.ts'
import type { Head } from '../kernel/request/head.ts'
import { localPath, paths } from '../kernel/request/paths.ts'
import type { Settings } from '../kernel/services.ts'
import { type Cors, corsOf } from './cors.ts'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/
/** Names of this machine that a policy can name beside those of apps: it has no spelling for an IPv6 address. */
const NAMED_LOOPBACK = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/
/** Browsers that look up `*.localhost` by themselves, whatever the name server of the machine says. */
const KNOWS_LOCALHOST = /(Chrome|Chromium|Firefox)\//

/** Opens the guard: loopback hosts, and those of the configured origins. */
export function openGuard(settings: Pick<Settings, 'origins' | 'bundleOrigin' | 'basePath'>) {
  const { basePath, bundleOrigin } = settings
  const origins = new Set(settings.origins)
  // Of twins the plain one, which comes last: a policy that names it lets the other in.
  const byHost = new Map(
    [...origins]
      .toSorted()
      .toReversed()
      .map((origin) => [new URL(origin).host, origin]),
  )
  const pattern = bundleOrigin !== null && isOriginPattern(bundleOrigin) ? bundleOrigin : null
  const second = bundleOrigin !== null && !pattern ? new URL(bundleOrigin) : null
  const hostOf = (head: Head) => head.get('host') ?? ''
  const labelOfHost = (head: Head) => (pattern ? labelIn(pattern, hostOf(head)) : null)
  const isOnlyBundles = (head: Head) =>
    labelOfHost(head) !== null || (hostOf(head) === second?.host && !byHost.has(second.host))
  /** The origin of the URL that the browser asked, as far as `Host` says: for documents, which come without an `Origin`. */
  const own = (head: Head) => {
    const host = hostOf(head)
    const named = labelOfHost(head)
    return pattern && named
      ? originOf(pattern, named.label, host)
      : (byHost.get(host) ?? `http://${head.get('host')}`)
  }
  /** The pattern where the browser of this page can look up what it makes; origins with a port of their own always can be. */
  const patternFor = (head: Head) =>
    !pattern ||
    !hasPort(pattern) ||
    (NAMED_LOOPBACK.test(hostOf(head)) && KNOWS_LOCALHOST.test(agentOf(head)))
      ? pattern
      : null
  /**
   * Whether a page of this very host asks: behind a proxy that ends TLS its origin is `https`. A host that is listed has
   * the origins that are listed: who holds the plain-text twin of an `https` origin is anybody on the way.
   */
  const isOwn = (origin: string, host = '') =>
    !byHost.has(host) && (origin === `http://${host}` || origin === `https://${host}`)
  const isPage = (origin: string, head: Head) => origins.has(origin) || isOwn(origin, head.get('host'))
  /**
   * Where the page of a request sees this host: at its own origin where the browser says so, or `Host` does, whatever a proxy
   * before us made of the rest; else the page is of another site, and asked for us by our name.
   */
  const seen = (head: Head) => {
    const origin = head.get('origin')
    if (origin === undefined || !isPage(origin, head)) return own(head)
    return isSameOrigin(head) || origin.endsWith(`//${hostOf(head)}`) ? origin : own(head)
  }
  return {
    /** `null` when `Host` is on the allow-list, else the refusal. */
    host(head: Head) {
      const host = head.get('host')
      // An origin for bundles is there for their files; a host that answered all there would separate nothing.
      if (host !== undefined && isOnlyBundles(head))
        return ofBundles(localPath(basePath, head.url)) ? null : onlyBundles(host)
      if (host !== undefined && (LOOPBACK.test(host) || byHost.has(host))) return null
      return refuse(
        'permission_denied',
        `Host must be one that this host serves, got ${JSON.stringify(host ?? null)}`,
        { denied_by: 'host', hint: hintForHost(host) },
      )
    },
    /** Whether this is the name, and port, of an origin that the operator listed. */
    isListed: (host: string) => byHost.has(host),
    /** `null` when `Origin` may use cookie routes, else the refusal. */
    origin(head: Head) {
      const origin = head.get('origin')
      if (origin !== undefined && isPage(origin, head)) return null
      return refuse(
        'permission_denied',
        `Origin must be a page of this host, got ${JSON.stringify(origin ?? null)}`,
        { denied_by: 'origin', hint: hintForOrigin(origin) },
      )
    },
    /** `null` when a window that this page opens can show its app, else why a browser would leave it empty. */
    opening(head: Head) {
      const at = seen(head)
      if (at.includes('['))
        return refuse('permission_denied', `no app can be shown in a page at ${at}`, {
          denied_by: 'origin',
          hint: 'A Content-Security-Policy cannot name an IPv6 address: open the page at localhost, 127.0.0.1 or a name.',
        })
      if (at === own(head) || !byHost.has(hostOf(head)) || isTwin(at, own(head))) return null
      return refuse(
        'permission_denied',
        `the page is at ${at}, and what is before this host says Host: ${hostOf(head)}`,
        { denied_by: 'host', hint: `Pass the Host of the page on: ${PASS_HOST}.` },
      )
    },
    /**
     * Whether nothing in a request says where its page sees this host: a WebSocket of Chromium through a proxy that may have
     * rewritten `Host`, or of a page of another origin.
     */
    isUnclear(head: Head) {
      const origin = head.get('origin')
      return (
        origin !== undefined &&
        head.get('sec-fetch-site') === undefined &&
        !byHost.has(hostOf(head)) &&
        !origin.endsWith(`//${hostOf(head)}`)
      )
    },
    /** What lets a page of a listed origin read an answer of this host at another one; `null`: nothing. */
    cors(head: Head): Cors | null {
      const origin = head.get('origin')
      const isOther = origin !== undefined && origins.has(origin) && byHost.get(hostOf(head)) !== origin
      return isOther && !isOnlyBundles(head) ? corsOf(head, origin, localPath(basePath, head.url)) : null
    },
    /** The origin that a request came to: a listed one, or `http` at its `Host`. */
    own,
    /**
     * Where a document may have come from besides, because a proxy rewrote its `Host`: any listed origin, unless `Host` is
     * one of them, or the browser says that its page is of another origin.
     */
    also(head: Head): readonly string[] {
      const site = head.get('sec-fetch-site')
      const isClear = byHost.has(hostOf(head)) || isOnlyBundles(head)
      return isClear || site === 'cross-site' || site === 'same-site' ? [] : [...origins]
    },
    /** Where the host's paths begin, as its page sees it: its origin and the base path. */
    base: (head: Head) => seen(head) + basePath,
    /** The page origins that may frame a bundle, as CSP source expressions. */
    pages: (head: Head) => [
      ...new Set([...origins, ...(isOnlyBundles(head) ? loopbacks(head) : [own(head)])]),
    ],
    /**
     * The label of the app whose origin a request came to. `null`: apps need no origin of their own here; `''`: it came
     * to another origin, and each app has its own.
     */
    label: (head: Head) => labelOfHost(head)?.app ?? (pattern && !hasPort(pattern) ? '' : null),
    /** Where the bundles of all apps are for a page at this origin, as a CSP source expression. */
    bundles(head: Head) {
      const apps = patternFor(head)
      return apps ? originOf(apps, '*', hostOf(head)) : (second?.origin ?? own(head))
    },
    /** An entry URL as the page reaches it: before a path is put the origin of the app, where there is one for this page. */
    entryUrl<Url extends string | null>(head: Head, appId: string, url: Url): Url {
      const apps = patternFor(head)
      if (!url?.startsWith('/') || !apps) return url
      return (originOf(apps, labelOf(appId), hostOf(head)) + url) as typeof url
    },
  }

  /** The line to change where `Host` is not taken: it may have lost its port. */
  function hintForHost(host: string | undefined): string {
    const listed = [...origins].find((one) => new URL(one).hostname === host)
    return listed === undefined
      ? `Name the page in createHost({ origins }), or pass its Host on: ${PASS_HOST}.`
      : `${listed} is listed, and Host came without its port: pass it on whole, ${PASS_HOST}.`
  }

  /** The same for an `Origin`: its twin of the other scheme may be listed. */
  function hintForOrigin(origin: string | undefined): string {
    const listed = origin !== undefined && byHost.get(origin.replace(/^https?:\/\//, ''))
    return listed
      ? `createHost({ origins }) lists ${listed}: open the page there.`
      : 'Name the page in createHost({ origins }); a client without a browser sends the Origin itself.'
  }

  /** The pages of this machine that frame an app of the pattern at the same port. */
  function loopbacks(head: Head): string[] {
    if (!pattern || !hasPort(pattern)) return []
    return ['localhost', '127.0.0.1'].map((name) => `http://${name}${portOf(hostOf(head))}`)
  }
}

/** Judges where a request comes from. */
export type Guard = ReturnType<typeof openGuard>

/** Whether a path is one that an origin for bundles has: their files, and where their documents report to. */
const ofBundles = (path: string) => path.startsWith(paths.bundles) || path === paths.reports

/** How proxies pass on the `Host` of a page. */
const PASS_HOST = '"proxy_set_header Host $http_host" in nginx, "changeOrigin: false" in Vite'

/** Whether the browser says that a page of the origin asks at which it sees this host. */
const isSameOrigin = (head: Head) => head.get('sec-fetch-site') === 'same-origin'

/** Whether two origins differ by `http` and `https` alone: a policy that names the first lets the second in. */
const isTwin = (a: string, b: string) => a.replace(/^https/, 'http') === b.replace(/^https/, 'http')

const agentOf = (head: Head) => head.get('user-agent') ?? ''

const onlyBundles = (host: string) =>
  refuse('permission_denied', `${host} serves bundle files and nothing else`, { denied_by: 'host' })
