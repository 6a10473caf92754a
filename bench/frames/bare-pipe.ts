import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFigures } from '../lib/server.ts'

/** Hands a provider's bytes on as they come, and does nothing else. Argument: the port of the provider. */
const provider = Number(process.argv[2])
const agent = new Agent({ keepAlive: true })

const server = createServer((req, res) => {
  const asked = request(
    { host: '127.0.0.1', port: provider, path: '/v1/chat/completions', method: 'POST', agent },
    (answer) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.pipe(res)
    },
  )
  req.pipe(asked)
}).listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
