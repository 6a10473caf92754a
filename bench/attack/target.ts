import { type ClientRequest, request } from 'node:http'

/** A user with an open window. */
export interface Caller {
  readonly windowUuid: string
  readonly token: string
  readonly cookie: string
}

/** A host, and what its callers need. */
export interface Target {
  readonly port: number
  readonly appId: string
  /** The path of a large file that anybody may read. */
  readonly file: string
  readonly eve: Caller
  readonly ada: Caller
}

/** One call of a bundle as a body. */
export const callOf = ({ windowUuid }: Caller, ns: string, method: string, args: unknown) =>
  JSON.stringify({ id: '1', window_uuid: windowUuid, ns, method, args })

/** What goes out with a request. */
export interface Sent {
  readonly method?: string
  readonly caller?: Caller
  readonly type?: string
  readonly length?: number
}

/** Begins a request to the host on a connection of its own. */
export function begin({ port }: Pick<Target, 'port'>, path: string, sent: Sent = {}): ClientRequest {
  const { method = 'POST', caller, type = 'application/json', length } = sent
  const origin = `http://127.0.0.1:${port}`
  const signed = caller ? { cookie: caller.cookie, 'x-svc-app-token': caller.token, origin } : {}
  const sized = length === undefined ? {} : { 'content-length': length }
  const headers = { 'content-type': type, ...signed, ...sized }
  return request({ host: '127.0.0.1', port, path, method, headers, agent: false })
}

/** Sends a request and reads its answer; 0 where the connection broke. */
export function send(target: Pick<Target, 'port'>, path: string, body: string | Buffer, sent: Sent = {}) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
    const asking = begin(target, path, { ...sent, length: Buffer.byteLength(body) })
    asking.on('error', () => resolve({ status: 0, text: '' }))
    asking.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('error', () => resolve({ status: 0, text }))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asking.end(body)
  })
}
