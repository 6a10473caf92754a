import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Script, SentBody } from './reply.ts'

/** One request that a scripted server received. */
export interface SentRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: SentBody
}

/** Opens a server on loopback that does what a script says. Close it. */
export async function openScriptedServer(script: Script) {
  const requests: SentRequest[] = []
  let wake = () => {}
  const server = createServer(async (req, res) => {
    let text = ''
    for await (const piece of req) text += piece
    const body: SentBody = JSON.parse(text)
    const asked = { path: req.url ?? '', headers: req.headers }
    requests.push({ ...asked, body })
    wake()
    const { status = 200, headers = {}, pieces = [], last = 'end' } = script(body, requests.length - 1, asked)
    res.writeHead(status, headers)
    res.flushHeaders()
    for (const piece of pieces) res.write(piece)
    if (last === 'end') res.end()
    if (last === 'cut') res.write('', () => res.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    /** What `SVC_LLM_BASE_URL` takes. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    /** Settles once so many requests were received. */
    async received(count: number): Promise<void> {
      while (requests.length < count)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
