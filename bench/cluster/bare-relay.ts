import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Redis } from 'ioredis'
import { serveFigures } from '../lib/server.ts'

/** Writes each message of a channel to all that read. Arguments: Redis, channel. */
const [, , url = '', channel = ''] = process.argv
const readers = new Set<ServerResponse>()
const redis = new Redis(url, { protocol: 2 })
await redis.subscribe(channel)
redis.on('message', (_channel, message) => {
  for (const reader of readers) reader.write(`data: ${message}\n\n`)
})
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1000\n\n')
  readers.add(res)
})
server.listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
