import { limits } from '@svc/contract'
import { routes } from '@svc/contract/routes'
import type { ClusterFinding } from '@svc/state-cluster'
import type { HostUrl } from '../host/host-url.ts'
import { answerOf, firstBytes, upgradeAnswer } from './proxy-answers.ts'

/** What was seen of the way to a host. */
export interface ProxyReport {
  readonly findings: readonly ClusterFinding[]
  /** What was not tried, and why, a sentence each. */
  readonly notTried: readonly string[]
}

const SEE = 'The section "Behind nginx" of the guide on operating a host has all lines.'
/** The first bytes of an event stream come at once; a proxy that holds them back waits for many. */
const FIRST_MS = 3_000
const FORBIDDEN = 403
const TOO_LARGE = 413

/** Looks at a host as pages reach it, for what a proxy between gets wrong. `cookie`: of a sign-in, without which events are not tried. */
export async function inspectProxy(url: HostUrl, cookie: string | null): Promise<ProxyReport> {
  const reached = await lookReached(url)
  if (reached) return { findings: [reached], notTried: [] }
  const looks = [lookHost(url), lookUpgrade(url), lookBody(url), lookPlain(url)]
  const notTried: string[] = []
  if (cookie !== null) looks.push(lookEvents(url, cookie))
  else notTried.push('whether events come at once: sign in with --user, SVC_COOKIE or --cookie-file')
  const findings = (await Promise.all(looks)).filter((found) => found !== null)
  return { findings, notTried }
}

async function lookReached(url: HostUrl): Promise<ClusterFinding | null> {
  const answer = await answerOf(url, '/healthz')
  // A refusal with a code is of a host; why, the others find out.
  if (answer?.status === 200 || answer?.code) return null
  return {
    id: 'proxy.reach',
    severity: 'fails',
    what: answer === null ? `nothing answers at ${url.base}` : `${url.base}/healthz answers ${answer.status}`,
    why: 'No page can reach the host.',
    change: 'Look at the name, at the proxy, and at the address to which it passes requests.',
  }
}

/** Whether the host is told the name that pages use, and serves it. */
async function lookHost(url: HostUrl): Promise<ClusterFinding | null> {
  const answer = await answerOf(url, routes['calls.rpc'].path, { method: 'POST', body: '{}' })
  if (answer?.deniedBy !== 'host' && answer?.deniedBy !== 'origin') return null
  const isHost = answer.deniedBy === 'host'
  return {
    id: isHost ? 'proxy.host_header' : 'proxy.origins',
    severity: 'fails',
    what: `the host refuses what comes by ${url.origin}: ${answer.message}`,
    why: 'Every call of a page is refused.',
    change: `${isHost ? 'Let the proxy pass on Host (nginx: proxy_set_header Host $http_host), and name' : 'Name'} the origin in the config file: origins: ['${url.origin}'].`,
  }
}

/** The host refuses an upgrade of nobody with a code of its own; a proxy that drops it asks for a page. */
async function lookUpgrade(url: HostUrl): Promise<ClusterFinding | null> {
  const answer = await upgradeAnswer(url, routes['calls.socket'].path)
  if (answer?.status === 101 || (answer?.code && answer.code !== 'not_found')) return null
  return {
    id: 'proxy.upgrade',
    severity: 'hinders',
    what: `an upgrade to WebSocket is ${answer === null ? 'not answered' : `answered with ${answer.status}`}`,
    why: 'Machines of users cannot connect, and pages send each call as a request of its own.',
    change: `Let the proxy pass it on: HTTP/1.1, Upgrade and Connection. ${SEE}`,
  }
}

async function lookBody(url: HostUrl): Promise<ClusterFinding | null> {
  const bytes = limits.RPC_BODY_MAX_BYTES
  const body = `"${'x'.repeat(bytes - 2)}"`
  const answer = await answerOf(url, routes['calls.rpc'].path, { method: 'POST', body })
  // The host says it in JSON; without an answer it has refused earlier, and did not read on.
  if (answer?.status !== TOO_LARGE || answer.code !== null) return null
  return {
    id: 'proxy.body',
    severity: 'fails',
    what: `the proxy refuses a body of ${bytes} bytes`,
    why: 'Calls and uploads that a host takes fail.',
    change: `Leave the bound to the host (nginx: client_max_body_size 0). ${SEE}`,
  }
}

/** Whether plain HTTP leads to HTTPS. */
async function lookPlain({ origin, base, isLoopback }: HostUrl): Promise<ClusterFinding | null> {
  if (!origin.startsWith('https:')) return null
  const { hostname, port } = new URL(origin)
  // Another port than the usual one has no plain one beside it.
  if (port !== '' || isLoopback) return null
  const plain = { origin: `http://${hostname}`, base: base.replace(/^https:/, 'http:'), isLoopback }
  const answer = await answerOf(plain, '/healthz')
  if (answer === null || answer.location?.startsWith('https://')) return null
  return {
    id: 'proxy.https',
    severity: 'hinders',
    what: `${plain.origin} answers ${answer.status} without leading to HTTPS`,
    why: 'Who types the name without https has no sign-in there, or sends it in plain text.',
    change: `Answer port 80 with a redirect (nginx: return 301 https://$host$request_uri;).`,
  }
}

async function lookEvents(url: HostUrl, cookie: string): Promise<ClusterFinding | null> {
  const { status, hasBegun } = await firstBytes(url, routes['calls.events'].path, cookie, FIRST_MS)
  // A host that is not served under this name refuses everything; `lookHost` says so.
  if ((hasBegun && status === 200) || status === FORBIDDEN) return null
  const isRefused = status !== null && status !== 200
  return {
    id: isRefused ? 'proxy.events' : 'proxy.buffer',
    severity: isRefused ? 'hinders' : 'fails',
    what: isRefused
      ? `the event stream is refused with ${status}`
      : `the event stream, whose first bytes a host sends at once, has sent none after ${FIRST_MS} ms`,
    why: isRefused
      ? 'Whether events come at once could not be tried.'
      : 'The proxy collects answers: pages hear of nothing in time.',
    change: isRefused
      ? 'Is the sign-in one of this host?'
      : `Turn that off (nginx: proxy_buffering off), compression of text/event-stream too. ${SEE}`,
  }
}
