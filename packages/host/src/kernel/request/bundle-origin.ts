import { createHash } from 'node:crypto'

/** A pattern: `{app}` is the first label of its host, and `{port}`, where it is, the port that a page came to. */
const PATTERN = /^https?:\/\/\{app\}(\.[a-z0-9-]+)+(:(\d{1,5}|\{port\}))?$/

/**
 * Whether a text is a pattern of bundle origins, one for each app, such as `https://{app}.bundles.site.org` or
 * `http://{app}.localhost:{port}`.
 */
export const isOriginPattern = (text: string): boolean => PATTERN.test(text)

/** Whether the origins of a pattern depend on the port that a page came to. */
export const hasPort = (pattern: string): boolean => pattern.endsWith(':{port}')

const LABEL_CHARS = 32

/**
 * The label of an app in the hosts of a pattern: the first 128 bits of SHA-256 over its id. It is the same for every
 * user and every version: a browser has one user at a time, and what caches keep of an app serves all its windows.
 */
export const labelOf = (appId: string): string =>
  createHash('sha256').update(`svc bundle origin ${appId}`).digest('hex').slice(0, LABEL_CHARS)

/** The origin of a pattern with this label; `host` is the `Host` of the request, whose port takes the place of `{port}`. */
export function originOf(pattern: string, label: string, host = ''): string {
  return pattern.replace('{app}', label).replace(':{port}', portOf(host))
}

/** The port of a `Host` with its colon; `''` where it names none. */
export const portOf = (host: string): string => /:\d{1,5}$/.exec(host)?.[0] ?? ''

/** The label of an app; with a number, one more site of it, for its next document after one that hangs. */
const LABEL = /^([0-9a-f]{32})(?:-\d{1,6})?(?=\.)/

/** What the first label of a `Host` says. */
export interface HostLabel {
  /** The label of the app. */
  readonly app: string
  /** The whole label: that of the app, or with `-` and a number behind it. */
  readonly label: string
}

/** Reads the label out of a `Host` that the pattern makes; `null` for every other one. */
export function labelIn(pattern: string, host: string): HostLabel | null {
  const [label = '', app = ''] = LABEL.exec(host) ?? []
  return originOf(pattern, label, host).replace(/^https?:\/\//, '') === host ? { app, label } : null
}
