// Started by Playwright in place of Firefox: starts it, and stands between the two. Playwright sends a command of WebDriver
// BiDi that the ESR does not have yet, and gives up where that fails; here it comes to nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'

const LISTENS = 'WebDriver BiDi listening on '
const [program = '', ...args] = process.argv.slice(2)
const firefox = spawn(program, args, { stdio: ['ignore', 'inherit', 'pipe'] })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => firefox.kill(signal))
firefox.on('exit', (code) => process.exit(code ?? 1))

for await (const line of createInterface(firefox.stderr)) {
  const address = line.startsWith(LISTENS) ? line.slice(LISTENS.length) : null
  console.error(address === null ? line : `${LISTENS}${await relayTo(address)}`)
}

async function relayTo(address: string): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', async (near, { url }) => {
    const far = new WebSocket(`${address}${url}`)
    const isOpen = once(far, 'open')
    near.on('message', async (data) => {
      await isOpen
      far.send(String(data))
    })
    far.on('message', (data) => near.send(knownAnswer(String(data))))
    near.on('close', () => far.close())
    far.on('close', () => near.close())
  })
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function knownAnswer(text: string): string {
  const { type, error, id } = JSON.parse(text) as { type: string; error?: string; id?: number }
  const isUnknown = type === 'error' && error === 'unknown command'
  return isUnknown ? JSON.stringify({ type: 'success', id, result: {} }) : text
}
