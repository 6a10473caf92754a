import { Agent, request } from 'node:http'
import type { TestHost, TestWindow } from '@svc/conformance/test-host'
import type { RpcResponse } from '@svc/contract'

/** A call of `storage.*`. */
export type Asked = readonly [method: string, args: unknown]

/** Calls of a host's windows over its port, on connections that stay open. */
export interface StorageClients {
  call(window: TestWindow, ...asked: Asked): Promise<RpcResponse>
  /** Several calls in one body; their answers in the same order. */
  batch(window: TestWindow, asked: readonly Asked[]): Promise<RpcResponse[]>
  close(): void
}

/** Listens, and opens as many connections as are needed. Close it. */
export async function openStorageClients({ host }: TestHost): Promise<StorageClients> {
  const { port } = await host.listen(0)
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 60_000 })

  const post = ({ token, cookie }: TestWindow, body: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        'x-svc-app-token': token,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        origin: `http://127.0.0.1:${port}`,
        cookie,
      }
      const sent = request(
        { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/v1/svc-apps/runtime/rpc', headers },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (piece: string) => {
            text += piece
          })
          answer.on('end', () => resolve(text))
          answer.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const envelope = ({ windowUuid }: TestWindow, [method, args]: Asked, at: number) => ({
    ...{ id: `${at}`, window_uuid: windowUuid, ns: 'storage', method, args },
  })

  return {
    call: async (window, ...asked) =>
      JSON.parse(await post(window, JSON.stringify(envelope(window, asked, 0)))),
    async batch(window, asked) {
      const body = JSON.stringify(asked.map((one, at) => envelope(window, one, at)))
      const answers = (await post(window, body))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RpcResponse)
      return answers.sort((a, b) => Number(a.id) - Number(b.id))
    },
    close: () => agent.destroy(),
  }
}
