import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { serveFigures } from '../lib/server.ts'

/** What a server of the AI SDK is at its shortest: its provider, its loop, its text to the response. Argument: the port of the provider. */
const provider = Number(process.argv[2])
const ofHost = createRequire(import.meta.resolve('@svc/host'))
const load = (name: string) => import(pathToFileURL(ofHost.resolve(name)).href)
const { streamText } = await load('ai')
const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible')
const model = createOpenAICompatible({ name: 'bench', baseURL: `http://127.0.0.1:${provider}/v1` })('bench-1')

const server = createServer(async (req, res) => {
  req.resume()
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const { textStream } = streamText({ model, prompt: 'hello' })
  for await (const text of textStream) res.write(`data: ${JSON.stringify({ text })}\n\n`)
  res.end()
}).listen(0, '127.0.0.1', () => serveFigures({ port: (server.address() as AddressInfo).port }))
