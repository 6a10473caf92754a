import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from '../lib/ws.ts'
import { answerFigures } from './answer-figures.ts'

/**
 * The raw limit: the same requests answered by `node:http` and `ws` alone. It keeps of a window one plain object in a
 * map, and judges nothing.
 */
const windows = new Map<string, object>()
const streams = new Map<string, ServerResponse>()
let drawn = 0

const server = createServer((req, res) => {
  const user = req.headers.cookie ?? ''
  if (req.url?.startsWith('/events')) {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.write('retry: 1000\n\n')
    streams.set(user, res)
    return
  }
  drawn += 1
  const window_uuid = `win_${String(drawn).padStart(26, '0')}`
  if (req.method === 'POST') windows.set(window_uuid, rowOf(user))
  req.resume().on('end', () => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ window_uuid, token: 't' }))
  })
})
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket, req) => {
  const user = String(req.headers.cookie)
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    const [n = ''] = text.split(' ', 1)
    const { id, window_uuid, method, args } = JSON.parse(text.slice(text.indexOf('\n') + 1))
    if (method === 'set_title')
      streams.get(user)?.write(`data: ${JSON.stringify({ type: 'title_changed', window_uuid, ...args })}\n\n`)
    socket.send(`${n} 200 ${JSON.stringify({ id, ok: true, result: {} })}\n`)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  answerFigures({ port }, async () => server.closeAllConnections())
})

/** What a host writes down of a window. */
const rowOf = (user_id: string) => ({
  user_id,
  app_id: 'app_00000000000000000000000000',
  version_id: 'ver_00000000000000000000000000',
  view: 'main',
  title: 'Bench',
  geometry: { w: 640, h: 480, z: drawn },
  status: 'open',
  opened_at: Date.now(),
  last_seen_at: Date.now(),
  closed_at: null,
  close_reason: null,
  due_at: Date.now() + 300_000,
})
