import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFigures } from '../lib/server.ts'

/** Answers each request with its body. */
const server = createServer({ noDelay: true, keepAlive: true }, async (req, res) => {
  const parts: Buffer[] = []
  for await (const part of req as AsyncIterable<Buffer>) parts.push(part)
  const body = Buffer.concat(parts)
  res.writeHead(200, { 'content-length': body.length }).end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
