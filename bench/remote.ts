import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHost, memoryBlobs, memoryBus, memoryStore, systemClock } from '@svc/host'
import { createRunner, type PluginSpec, type Runner } from '@svc/runner'
import { pino } from 'pino'
import { buildPlugin } from './lib/build-plugin.ts'
import { type Contender, compare, spread } from './lib/pairs.ts'
import { startServer } from './lib/server.ts'
import { WebSocket } from './lib/ws.ts'

const ROUND_TRIPS = 300
const MINUTE_MS = 60_000
const LARGE_CHARS = 4_194_304 - 11

const local = (file: string): PluginSpec => ({
  id: 'bench',
  version: '1.0.0',
  command: [process.execPath, file],
})
const remote: PluginSpec = {
  id: 'bench',
  version: '1.0.0',
  author: 'ada',
  distribution: { type: 'local', path: '/bench' },
}
let calls = 0

async function call(runner: Runner, plugin: PluginSpec, tool: string, args: Record<string, unknown>) {
  const outcome = await runner.call({
    userId: 'ada',
    plugin,
    tool,
    args,
    timeoutMs: MINUTE_MS,
    deadlineMs: Date.now() + MINUTE_MS,
    graceMs: 0,
    invokeId: `inv_${++calls}`,
    maxResultBytes: 4_194_304,
  })
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
}

/** The median of `count` timed turns, in ms. */
async function timed(count: number, turn: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const start = performance.now()
    await turn()
    times.push(performance.now() - start)
  }
  return spread(times).median
}
const turns = (name: string, count: number, turn: () => Promise<unknown>): Contender => ({
  name,
  block: () => timed(count, turn),
})

/** A tool on a machine of the user against one in the process of the host, and what the link adds to a bare WebSocket. */
export async function benchRemote() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const file = await buildPlugin(folder)
  const inProcess = createRunner()
  const options = {
    signIn: 'dev',
    runner: null,
    models: null,
    logger: pino({ level: 'silent' }),
    store: memoryStore(),
    bus: memoryBus({ clock: systemClock }),
    blobs: memoryBlobs(),
    secret: 's'.repeat(32),
  } as const
  const host = createHost(options)
  const another = createHost(options)
  const { url } = await host.listen(0)
  await host.users.ensure('ada')
  const { token } = await host.runners.enrol('ada', { name: 'bench' })
  const machine = await startServer(new URL('./remote/machine.ts', import.meta.url), url, token, file)
  const socket = new WebSocket(`ws://127.0.0.1:${machine.port}`, { perMessageDeflate: false })
  await once(socket, 'open')
  const bytes = Buffer.alloc(200)
  const bare = async () => {
    socket.send(bytes)
    await once(socket, 'message')
  }
  const [link] = host.runners.online('ada')
  await another.runners.refresh('ada')
  const [relayed] = another.runners.online('ada')
  if (!link || !relayed) throw new Error('the machine is not online')
  try {
    const args = { city: 'Turin', days: 3, units: 'metric' }
    const here = () => call(inProcess, local(file), 'echo', args)
    const there = () => call(link.runner, remote, 'echo', args)
    const round = await compare({
      title: 'a call of a tool, 50 bytes of arguments',
      unit: 'ms',
      better: 'less',
      base: turns('in the process', ROUND_TRIPS, here),
      twin: turns('in the process', ROUND_TRIPS, here),
      others: [turns('on a machine', ROUND_TRIPS, there), turns('bare WebSocket', ROUND_TRIPS, bare)],
    })
    const ask = () => link.runner.install(remote)
    const wire = await compare({
      title: 'a question over the link, without a plugin',
      unit: 'ms',
      better: 'less',
      base: turns('bare WebSocket', ROUND_TRIPS, bare),
      twin: turns('bare WebSocket', ROUND_TRIPS, bare),
      others: [turns('link', ROUND_TRIPS, ask)],
    })
    const bigHere = () => call(inProcess, local(file), 'large', { chars: LARGE_CHARS })
    const large = await compare({
      title: 'a result of 4 MiB',
      unit: 'ms',
      better: 'less',
      base: turns('in the process', 5, bigHere),
      twin: turns('in the process', 5, bigHere),
      others: [turns('on a machine', 5, () => call(link.runner, remote, 'large', { chars: LARGE_CHARS }))],
    })
    const fromAnother = (title: string, count: number, ask: (runner: Runner) => Promise<unknown>) =>
      compare({
        title: `${title}, from another host than that of the machine`,
        unit: 'ms',
        better: 'less',
        base: turns('its host', count, () => ask(link.runner)),
        twin: turns('its host', count, () => ask(link.runner)),
        others: [turns('another host', count, () => ask(relayed.runner))],
      })
    const relayedRound = await fromAnother('a call of a tool', ROUND_TRIPS, (runner) =>
      call(runner, remote, 'echo', args),
    )
    const relayedWire = await fromAnother('a question without a plugin', ROUND_TRIPS, (runner) =>
      runner.install(remote),
    )
    const relayedLarge = await fromAnother('a result of 4 MiB', 5, (runner) =>
      call(runner, remote, 'large', { chars: LARGE_CHARS }),
    )
    return [round, wire, large, relayedRound, relayedWire, relayedLarge]
  } finally {
    socket.terminate()
    await machine.close()
    await another.close()
    await host.close()
    await inProcess.close()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchRemote()
