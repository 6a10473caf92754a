import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFigures } from '../lib/server.ts'

/** An OpenAI-compatible server. Arguments: tokens of an answer, and ms between two of them (0: all at once). */
const [tokens, gapMs] = [Number(process.argv[2]), Number(process.argv[3])]
const about = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'bench-1' }
const event = (delta: object, finish_reason: string | null = null, usage?: object) =>
  `data: ${JSON.stringify({ ...about, choices: [{ index: 0, delta, finish_reason }], ...(usage && { usage }) })}\n\n`
const word = event({ content: ' word' })
const end = `${event({}, 'stop', { prompt_tokens: 9, completion_tokens: tokens, total_tokens: 9 + tokens })}data: [DONE]\n\n`

const server = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    if (gapMs === 0) return res.end(word.repeat(tokens) + end)
    let left = tokens
    const timer = setInterval(() => {
      res.write(word)
      left -= 1
      if (left > 0) return
      clearInterval(timer)
      res.end(end)
    }, gapMs)
    // The first comes at once.
    left -= 1
    res.write(word)
  })
}).listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
server.keepAliveTimeout = 0
