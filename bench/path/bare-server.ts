import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveFigures } from '../lib/server.ts'
import { rawChild } from '../stdio/raw-child.ts'

/** The raw legs behind the browser: `/echo` parses and answers, `/call` asks one raw child, one at a time. Argument: the folder of the scripts. */
const folder = process.argv[2] ?? '.'
const child = rawChild()
let tail: Promise<unknown> = Promise.resolve()
const ask = (args: unknown) => {
  const answer = tail.then(() => child.ask('call', { name: 'echo', args }))
  tail = answer
  return answer
}
const pages = new Map([
  [
    '/',
    '<!doctype html><script src="/bare-page.js"></script><iframe sandbox="allow-scripts" src="/frame"></iframe>',
  ],
  ['/favicon.ico', ''],
  ['/frame', '<!doctype html><script src="/bare-frame.js"></script>'],
])
const server = createServer((req, res) => {
  if (req.method === 'GET') {
    const path = req.url ?? '/'
    const page = pages.get(path) ?? null
    res.writeHead(200, {
      'content-type': page !== null ? 'text/html' : 'text/javascript',
    })
    return res.end(page ?? readFileSync(folder + path))
  }
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', async () => {
    const { id, args } = JSON.parse(Buffer.concat(chunks).toString())
    const result = req.url === '/call' ? await ask(args) : args
    const text = JSON.stringify({ id, ok: true, result })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    res.end(text)
  })
})
server.listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
process.on('SIGTERM', () => child.close().then(() => process.exit()))
