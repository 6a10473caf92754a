import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFigures } from '../lib/server.ts'
import { stamp } from './stamps.ts'

/** An OpenAI-compatible server. Arguments: tokens of an answer, ms between two of them (0: all at once), and `stamped` for tokens that say when they were sent. */
const [tokens, gapMs, isStamped] = [
  Number(process.argv[2]),
  Number(process.argv[3]),
  process.argv[4] === 'stamped',
]
const about = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'bench-1' }
const event = (delta: object, finish_reason: string | null = null, usage?: object) =>
  `data: ${JSON.stringify({ ...about, choices: [{ index: 0, delta, finish_reason }], ...(usage && { usage }) })}\n\n`
const word = event({ content: ' word' })
const next = () => (isStamped ? event({ content: stamp() }) : word)
const end = `${event({}, 'stop', { prompt_tokens: 9, completion_tokens: tokens, total_tokens: 9 + tokens })}data: [DONE]\n\n`

const server = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    if (gapMs === 0) return res.end(word.repeat(tokens) + end)
    let left = tokens
    const timer = setInterval(() => {
      res.write(next())
      left -= 1
      if (left > 0) return
      clearInterval(timer)
      res.end(end)
    }, gapMs)
    // The first comes at once.
    left -= 1
    res.write(next())
  })
}).listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
server.keepAliveTimeout = 0
