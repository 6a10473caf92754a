import { isUtf8 } from 'node:buffer'
import { createServer } from 'node:http'
import { serveFigures } from '../lib/server.ts'
import { COOKIE, TOKEN, WINDOW } from './head.ts'

/**
 * The raw limit: one `node:http` handler, written out by hand, that makes the checks of the RPC endpoint in
 * their order against plain maps, with tokens and sign-ins verified before.
 */
const USER = 'ada'
const tokens = new Map([[TOKEN, { wid: WINDOW, user_id: USER, exp: Number.MAX_SAFE_INTEGER }]])
const signIns = new Map([[COOKIE, { user_id: USER, exp: Number.MAX_SAFE_INTEGER }]])
const users = new Set([USER])
const windows = new Map([[WINDOW, { status: 'open', install: 'ada bench', lastSeenAt: Date.now() }]])
const installs = new Map([['ada bench', { allowed: new Set(['window.heartbeat']) }]])
const methods = new Map([['window.heartbeat', (_args: object) => ({})]])
const inFlight = new Map<string, number>()
const HOST = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/
const JSON_TYPE = /^application\/json\s*(;\s*charset=("?)utf-8\2\s*)?$/i
const BODY_MAX = 6_291_456
const SILENT_MAX_MS = 86_400_000

/** Whether JSON text nests deeper than 64 levels. */
function tooDeep(bytes: Buffer): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (inText) {
      if (byte === 0x5c) at += 1
      else if (byte === 0x22) inText = false
    } else if (byte === 0x22) inText = true
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > 64) return true
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1
  }
  return false
}

const server = createServer((req, res) => {
  const refuse = (status: number, code: string) => {
    const text = JSON.stringify({ id: '', ok: false, error: { code, message: code } })
    res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    res.end(text)
  }
  const { headers } = req
  if (!HOST.test(headers.host ?? '')) return refuse(403, 'permission_denied')
  if (headers.origin !== `http://${headers.host}`) return refuse(403, 'permission_denied')
  const claims = tokens.get(String(headers['x-svc-app-token']))
  if (!claims || Date.now() >= claims.exp) return refuse(401, 'invalid_token')
  const cookie = /(?:^|; )svc_signin_\d+=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? ''
  const signIn = signIns.get(cookie)
  if (!signIn || Date.now() >= signIn.exp || signIn.user_id !== claims.user_id)
    return refuse(401, 'invalid_token')
  if (!users.has(claims.user_id)) return refuse(401, 'invalid_token')
  const type = headers['content-type'] ?? ''
  if (type !== 'application/json' && !JSON_TYPE.test(type)) return refuse(415, 'invalid_arg')
  if (Number(headers['content-length'] ?? 0) > BODY_MAX) return refuse(413, 'invalid_arg')

  const chunks: Buffer[] = []
  let size = 0
  req.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= BODY_MAX) chunks.push(chunk)
  })
  req.on('end', () => {
    if (size > BODY_MAX) return refuse(413, 'invalid_arg')
    const bytes = Buffer.concat(chunks)
    if (!isUtf8(bytes) || tooDeep(bytes)) return refuse(400, 'invalid_arg')
    let call: { id: string; window_uuid: string; ns: string; method: string; args: object }
    try {
      call = JSON.parse(bytes.toString())
    } catch {
      return refuse(400, 'invalid_arg')
    }
    if (typeof call.id !== 'string' || call.id.length > 256) return refuse(400, 'invalid_arg')
    for (const name of ['window_uuid', 'ns', 'method'] as const)
      if (typeof call[name] !== 'string' || call[name].length > 64) return refuse(400, 'invalid_arg')
    if (typeof call.args !== 'object' || call.args === null || Array.isArray(call.args))
      return refuse(400, 'invalid_arg')
    if (call.window_uuid !== claims.wid) return refuse(401, 'invalid_token')
    const window = windows.get(call.window_uuid)
    if (window?.status !== 'open' || Date.now() - window.lastSeenAt >= SILENT_MAX_MS)
      return refuse(404, 'not_found')
    const count = inFlight.get(call.window_uuid) ?? 0
    if (count >= 64) return refuse(429, 'rate_limited')
    inFlight.set(call.window_uuid, count + 1)
    const name = `${call.ns}.${call.method}`
    const handler = methods.get(name)
    const allowed = installs.get(window.install)?.allowed.has(name)
    const result = handler && allowed ? handler(call.args) : undefined
    inFlight.set(call.window_uuid, (inFlight.get(call.window_uuid) ?? 1) - 1)
    if (!result) return refuse(allowed ? 501 : 403, allowed ? 'not_implemented' : 'permission_denied')
    const text = JSON.stringify({ id: call.id, ok: true, result })
    res.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    res.end(text)
  })
})
server.listen(0, '127.0.0.1', () => {
  serveFigures({
    port: (server.address() as { port: number }).port,
    token: TOKEN,
    cookie: COOKIE,
    window: WINDOW,
  })
})
