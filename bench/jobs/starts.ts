import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { compare, type Outcome } from '../lib/pairs.ts'
import { rawChild } from '../stdio/raw-child.ts'
import { medianStart, openStartHost, PLUGIN, untilEvent, untilProcess } from './start-host.ts'

/** From `spawn` to its event, in ms; afterwards the process is gone. */
async function untilSpawned(): Promise<number> {
  const begin = performance.now()
  const child = spawn(process.execPath, [PLUGIN], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  await once(child, 'spawn')
  const took = performance.now() - begin
  child.stdin.end()
  await once(child, 'exit')
  return took
}

/** From `spawn` to the answer to a call, in ms; afterwards the process is gone. */
async function untilAnswered(): Promise<number> {
  const begin = performance.now()
  const child = rawChild()
  await child.ask('call', { name: 'echo', args: {} })
  const took = performance.now() - begin
  await child.close()
  return took
}

/** How long the start of a job takes beside a raw spawn, and how long its result beside a raw call. */
export async function benchStarts(): Promise<Outcome[]> {
  const host = await openStartHost({})
  const against = async (
    title: string,
    name: string,
    raw: () => Promise<number>,
    ours: () => Promise<number>,
  ) => {
    const outcome = await compare({
      title,
      unit: 'ms',
      better: 'less',
      base: { name, block: () => medianStart(raw) },
      twin: { name, block: () => medianStart(raw) },
      others: [{ name: 'svc', block: () => medianStart(ours) }],
    })
    const [base, , svc] = outcome.rows.map(({ figure }) => figure.median)
    console.log(`  svc takes ${((svc ?? Number.NaN) - (base ?? Number.NaN)).toFixed(2)} ms more`)
    return outcome
  }
  try {
    return [
      await against('a job, start to the event that it runs', 'raw spawn', untilSpawned, () =>
        untilEvent(host, 'running'),
      ),
      await against('a job, start to its process', 'raw spawn', untilSpawned, () => untilProcess(host)),
      await against('a job, start to its result', 'raw spawn and call', untilAnswered, () =>
        untilEvent(host, 'succeeded'),
      ),
    ]
  } finally {
    await host.testHost.close()
    await host.runner.close()
  }
}
