const CONNECT_PATH = '/api/v1/svc-apps/runners/connect'
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const SCHEMES: Readonly<Record<string, string>> = { 'https:': 'wss:', 'http:': 'ws:' }

/**
 * Where a machine connects to its host. Throws an error that says what is wrong with the URL: a token goes over TLS, or
 * does not leave the machine.
 */
export function connectAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const scheme = parsed && SCHEMES[parsed.protocol]
  if (!parsed || !scheme) throw new Error(`the host must be an https URL, got ${JSON.stringify(url)}`)
  if (parsed.username || parsed.password || parsed.search || parsed.hash)
    throw new Error('the URL of the host must have no user, password, query or fragment')
  if (scheme === 'ws:' && !LOOPBACK.test(parsed.hostname))
    throw new Error(`plain http is only for loopback, got ${parsed.origin}; use https`)
  parsed.pathname = parsed.pathname.replace(/(?<!\/)\/+$/, '') + CONNECT_PATH
  parsed.protocol = scheme
  return parsed
}
