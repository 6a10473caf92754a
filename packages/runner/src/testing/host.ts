import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { limits } from '@svc/contract/limits'
import { keepAliveClock } from '@svc/node'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LocalRunner } from '../calls/local-runner.ts'
import type { LinkHead } from '../link/index.ts'
import { openWire, type Wire } from '../link/wire.ts'
import type { CallInput, CallOutcome, JobInput } from '../port/runner.ts'

/** One link of a machine, as the host of a test has it. */
export interface HostLink {
  readonly ws: WebSocket
  readonly wire: Wire
  readonly token: string | undefined
  /** Resolves with the next message of a type that nobody took yet. */
  hear(type: string): Promise<{ readonly head: LinkHead; readonly body: Buffer }>
  say(head: object, body?: unknown): void
}

/** What the machine signs. */
export const challenge = { type: 'challenge', runner_id: 'rnr_1', nonce: 'nnc_1' }

/** What a host says to a machine that it lets in. */
export const welcome = {
  type: 'welcome',
  runner_id: 'rnr_1',
  name: 'A laptop',
  user_id: 'ada',
  epoch: 1,
  token: 'svcr_2',
  ping_ms: 1_000,
  silent_ms: 3_000,
}

/** A host that says what its test says. `status` refuses the next links with that status. */
export async function openTestHost() {
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  const waiting: ((link: HostLink) => void)[] = []
  const links: HostLink[] = []
  const state = { status: 0, tried: 0, challenges: true }

  server.on('upgrade', (req: IncomingMessage, socket: Socket, head) => {
    state.tried += 1
    if (state.status !== 0) return void socket.end(`HTTP/1.1 ${state.status} No\r\nContent-Length: 0\r\n\r\n`)
    sockets.handleUpgrade(req, socket, head, (ws) => {
      const untaken: { head: LinkHead; body: Buffer }[] = []
      const hearing: { type: string; resolve: (one: (typeof untaken)[number]) => void }[] = []
      const wire = openWire(ws, socket, {
        clock: keepAliveClock,
        limits,
        room: () => Number.POSITIVE_INFINITY,
        onTooLong() {},
        onEnd() {},
        onMessage(head, bytes) {
          const at = hearing.findIndex(({ type }) => type === head.type)
          const one = { head, body: Buffer.from(bytes) }
          if (at === -1) untaken.push(one)
          else hearing.splice(at, 1)[0]?.resolve(one)
        },
      })
      const link: HostLink = {
        ws,
        wire,
        token: req.headers.authorization,
        say: (message, body) =>
          void wire.send(message, body === undefined ? undefined : Buffer.from(JSON.stringify(body))),
        hear: (type) =>
          new Promise((resolve) => {
            const at = untaken.findIndex(({ head }) => head.type === type)
            const [one] = at === -1 ? [] : untaken.splice(at, 1)
            if (one) resolve(one)
            else hearing.push({ type, resolve })
          }),
      }
      if (state.challenges) link.say(challenge)
      const next = waiting.shift()
      if (next) next(link)
      else links.push(link)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next link that a machine opens. */
    link: () =>
      new Promise<HostLink>((resolve) => {
        const one = links.shift()
        if (one) resolve(one)
        else waiting.push(resolve)
      }),
    async close() {
      for (const ws of sockets.clients) ws.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** A call or a job that came to a runner, to be ended by a test. */
export interface Running {
  readonly input: CallInput | JobInput
  end(outcome: CallOutcome): void
}

/** A runner whose calls and jobs a test ends; an abort ends one, and `gone` is when its process is. */
export function testLocalRunner() {
  const running: Running[] = []
  const state = { gone: Promise.resolve() }
  const run = (input: CallInput | JobInput): Promise<CallOutcome> =>
    new Promise((resolve) => {
      input.signal?.addEventListener('abort', () =>
        resolve({ ok: false, code: 'cancelled', message: String(input.signal?.reason) }),
      )
      running.push({ input, end: resolve })
    })
  const runner: LocalRunner = {
    call: run,
    job: run,
    install: async () => ({ ok: true }),
    describe: async ({ id }) => ({ ok: true, description: { name: id, tools: [] } }),
    stats: () => ({ processes: running.length, busy: 0, waiting: 0, noise: 0 }),
    departed: () => state.gone,
    close: async () => {},
  }
  return { runner, running, state }
}
