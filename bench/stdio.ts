import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunner, type PluginSpec, type Runner } from '@svc/runner'
import { buildPlugin } from './lib/build-plugin.ts'
import { type Contender, compare, spread } from './lib/pairs.ts'
import { type RawChild, rawChild } from './stdio/raw-child.ts'

const ROUND_TRIPS = 400
const LARGE_CHARS = 4_194_304 - 11
const MINUTE_MS = 60_000

const call = async (runner: Runner, plugin: PluginSpec, tool: string, args: Record<string, unknown>) => {
  const outcome = await runner.call({
    userId: 'ada',
    plugin,
    tool,
    args,
    timeoutMs: MINUTE_MS,
    deadlineMs: Date.now() + MINUTE_MS,
    graceMs: 0,
    invokeId: `inv_${Math.random()}`,
    maxResultBytes: 4_194_304,
  })
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
  return outcome
}

const rawCall = (child: RawChild, name: string, args: unknown) =>
  child.ask('call', {
    name,
    args,
    timeout: MINUTE_MS,
    deadline_ms: Date.now() + MINUTE_MS,
    context: { invoke_id: 'x' },
  })

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

/** The wire to a plugin process: a round trip, a large result, and from the start of a process to its description. */
export async function benchStdio() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const file = await buildPlugin(folder)
  const plugin: PluginSpec = { id: 'bench', version: '1.0.0', command: [process.execPath, file] }
  const runner = createRunner({})
  const children = [rawChild(), rawChild()] as const
  const raw = (
    name: string,
    count: number,
    turn: (child: RawChild) => Promise<unknown>,
  ): [Contender, Contender] => [
    { name, block: () => timed(count, () => turn(children[0])) },
    { name, block: () => timed(count, () => turn(children[1])) },
  ]
  try {
    const args = { city: 'Turin', days: 3, units: 'metric' }
    const [base, twin] = raw('raw child', ROUND_TRIPS, (child) => rawCall(child, 'echo', args))
    const ours: Contender = {
      name: 'svc',
      block: () => timed(ROUND_TRIPS, () => call(runner, plugin, 'echo', args)),
    }
    const round = await compare({
      title: 'stdio round trip, 50 bytes of arguments',
      unit: 'ms',
      better: 'less',
      base,
      twin,
      others: [ours],
    })

    const [largeBase, largeTwin] = raw('raw child', 5, (child) =>
      rawCall(child, 'large', { chars: LARGE_CHARS }),
    )
    const large = await compare({
      title: 'a result of 4 MiB',
      unit: 'ms',
      better: 'less',
      base: largeBase,
      twin: largeTwin,
      others: [
        { name: 'svc', block: () => timed(5, () => call(runner, plugin, 'large', { chars: LARGE_CHARS })) },
      ],
    })

    const rawStart = async () => {
      const child = rawChild()
      await child.ask('describe')
      const took = performance.now()
      await child.close()
      return took
    }
    const started =
      (start: () => Promise<number>): Contender['block'] =>
      async () => {
        const begin = performance.now()
        return (await start()) - begin
      }
    let versions = 0
    const spawned = await compare({
      title: 'spawn to describe',
      unit: 'ms',
      better: 'less',
      base: { name: 'raw child', block: started(rawStart) },
      twin: { name: 'raw child', block: started(rawStart) },
      others: [
        {
          name: 'svc',
          block: started(async () => {
            // A version of its own each time: no process of an earlier one waits for it.
            versions += 1
            const outcome = await runner.describe({ ...plugin, version: `1.0.${versions}` })
            if (!outcome.ok) throw new Error(outcome.message)
            return performance.now()
          }),
        },
      ],
    })
    return [round, large, spawned]
  } finally {
    await Promise.all(children.map((child) => child.close()))
    await runner.close()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchStdio()
