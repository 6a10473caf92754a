import { isIP } from 'node:net'
import { type Refusal, refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { type LoopbackHost, loopbackOf } from './loopback.ts'
import { nameOf, portOf } from './name.ts'
import { isPublicAddress } from './public-address.ts'

/** What URLs are judged by. */
export interface UrlRules {
  readonly limits: Limits
  /** Hosts of this machine that may be named all the same, by https or http. */
  readonly allowLoopback: readonly LoopbackHost[]
}

const HTTPS_PORT = 443
const NAME_MAX_CHARS = 253
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Last labels that no public name has: of machines, of networks at home and at work, of documents and of tests. */
const insideLabels: ReadonlySet<string> = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
  'alt',
  'onion',
  'test',
  'example',
  'invalid',
])

function isPublicName(name: string): boolean {
  const labels = name.split('.')
  if (name.length > NAME_MAX_CHARS || labels.length < 2) return false
  return labels.every((label) => LABEL.test(label)) && !insideLabels.has(labels.at(-1) ?? '')
}

/** What can be wrong with the text alone; a parser of URLs would repair some of it. */
function textFault(text: string, { limits, allowLoopback }: UrlRules): string | null {
  const max = limits.PUBLIC_URL_MAX_CHARS
  if (text.length > max) return `must have at most ${max} characters, got ${text.length}`
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not hold white space, control characters or backslashes'
  const [, authority] =
    (allowLoopback.length > 0 ? /^https?:\/\/([^/?#]*)/ : /^https:\/\/([^/?#]*)/).exec(text) ?? []
  if (authority === undefined) return 'must begin with https://'
  if (authority === '') return 'must name a host'
  return authority.includes('@') ? 'must not name a user before the host' : null
}

function urlFault(url: URL, { allowLoopback }: UrlRules): string | null {
  if (loopbackOf(allowLoopback, url)) return null
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (portOf(url) !== HTTPS_PORT) return `must use port ${HTTPS_PORT}, got ${url.port}`
  const name = nameOf(url)
  if (isIP(name) !== 0) return isPublicAddress(name) ? null : 'must name a public host, got a private address'
  return isPublicName(name) ? null : 'must name a public host: a name with a dot and a public ending'
}

/** What a URL is called. */
export interface UrlName {
  /** In sentences. */
  readonly label: string
  /** The argument that it came of. */
  readonly path: string
}

/** The refusal of a URL. */
export const wrongUrl = ({ label, path }: UrlName, rule: string): Refusal =>
  refuse('invalid_arg', `${label} ${rule}`, { path })

/**
 * Judges the text of a URL that a user gave, without the network (docs/decisions/0036-urls-and-attachments.md): first the
 * text as it stands, then what it means. Errors: `invalid_arg` with the rule that it breaks.
 */
export function judgeUrl(text: string, named: UrlName, rules: UrlRules): URL {
  const wrongText = textFault(text, rules)
  const url = wrongText === null ? URL.parse(text) : null
  const fault = wrongText ?? (url ? urlFault(url, rules) : 'is not a URL')
  if (fault !== null || !url) throw wrongUrl(named, fault ?? 'is not a URL')
  return url
}
