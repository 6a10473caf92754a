import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunner, type PluginSpec } from '@svc/runner'
import { buildPlugin } from './lib/build-plugin.ts'
import { type Contender, compare, type Outcome, spread } from './lib/pairs.ts'
import { rawChild } from './stdio/raw-child.ts'

const CALLS = 200
const MINUTE_MS = 60_000

/** What walls around plugins cost: from the start of a process to its description, and a call of a warm one. */
export async function benchWalls(): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const file = await buildPlugin(folder)
  const plugin: PluginSpec = { id: 'bench', version: '1.0.0', command: [process.execPath, file] }
  const open = createRunner({ isolation: 'none' })
  const twin = createRunner({ isolation: 'none' })
  const walled = createRunner({ isolation: 'required' })
  let versions = 0
  const started = (runner: typeof open) => async () => {
    versions += 1
    const begin = performance.now()
    // A version of its own each time: no process of an earlier one waits for it.
    const outcome = await runner.describe({ ...plugin, version: `1.0.${versions}` })
    if (!outcome.ok) throw new Error(outcome.message)
    return performance.now() - begin
  }
  const called = (runner: typeof open) => async () => {
    const times: number[] = []
    for (let at = 0; at < CALLS; at += 1) {
      const begin = performance.now()
      const outcome = await runner.call({
        userId: 'ada',
        plugin,
        tool: 'echo',
        args: { city: 'Turin' },
        timeoutMs: MINUTE_MS,
        graceMs: 0,
        deadlineMs: Date.now() + MINUTE_MS,
        invokeId: `inv_${at}`,
        maxResultBytes: 65_536,
      })
      if (!outcome.ok) throw new Error(outcome.message)
      times.push(performance.now() - begin)
    }
    return spread(times).median
  }
  const raw: Contender['block'] = async () => {
    const begin = performance.now()
    const child = rawChild()
    await child.ask('describe')
    const took = performance.now() - begin
    await child.close()
    return took
  }
  const { problem } = walled.isolation
  if (problem !== null) console.log(`\nno figures of walls: ${problem}`)
  const behind = (block: Contender['block']): Contender[] =>
    problem === null ? [{ name: 'svc, behind walls', block }] : []
  try {
    const start = await compare({
      title: 'walls: spawn to describe',
      unit: 'ms',
      better: 'less',
      blocks: 20,
      aaWithin: 0.1,
      base: { name: 'raw child', block: raw },
      twin: { name: 'raw child', block: raw },
      others: [{ name: 'svc, no walls', block: started(open) }, ...behind(started(walled))],
    })
    const call = await compare({
      title: 'walls: a call of a process that is warm',
      unit: 'ms',
      better: 'less',
      blocks: 20,
      aaWithin: 0.1,
      base: { name: 'svc, no walls', block: called(open) },
      twin: { name: 'svc, no walls', block: called(twin) },
      others: behind(called(walled)),
    })
    return [start, call]
  } finally {
    await Promise.all([open, twin, walled].map((runner) => runner.close()))
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchWalls()
