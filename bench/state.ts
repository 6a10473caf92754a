import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoreRecord } from '@svc/state'
import { type Folder, openFolder } from '@svc/state-sqlite'
import { compareGatewayStates } from './gateway.ts'
import { medianStart, openStartHost, type StartHost, untilEvent } from './jobs/start-host.ts'
import { type Contender, compare, type Outcome, spread } from './lib/pairs.ts'
import { openBareItems, openBareRows } from './state/bare.ts'
import { fillStore, type Note, notes } from './state/fill.ts'

const IN_FLIGHT = 64
const WRITES = 6_400
const BLOCKS = 20
const LARGE_ROWS = 1_000_000
const ITEM = JSON.stringify({ frame: 'token', text: 'x'.repeat(100) })

/** The folder of a host: acknowledged writes, appends, and the start with a million rows, beside bare `node:sqlite`. */
export async function benchState(): Promise<Outcome[]> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-bench-state-'))
  const folder = await openFolder(path.join(dir, 'folder'))
  try {
    const outcomes = [await swaps(dir, folder), await appends(dir, folder)]
    await folder.close()
    outcomes.push(
      await compareGatewayStates(path.join(dir, 'gateway')),
      await jobStarts(path.join(dir, 'jobs')),
    )
    await large(path.join(dir, 'large'))
    return outcomes
  } finally {
    await folder.close()
    rmSync(dir, { recursive: true })
  }
}

/** How many of `count` a second, from the time that `work` takes. */
async function rate(count: number, work: () => Promise<void> | void): Promise<number> {
  const from = performance.now()
  await work()
  return (count * 1_000) / (performance.now() - from)
}

async function swaps(dir: string, { store }: Folder): Promise<Outcome> {
  const records: StoreRecord<Note>[] = []
  for (let n = 0; n < IN_FLIGHT; n++) {
    const written = await store.insert(notes, `k${n}`, { owner: 'ann', title: `t${n}`, n: 0 })
    if (written.ok) records.push(written.record)
  }
  const took: number[] = []
  async function writer(at: number): Promise<void> {
    for (let n = 0; n < WRITES / IN_FLIGHT; n++) {
      const { id, revision, row } = records[at] as StoreRecord<Note>
      const from = performance.now()
      const written = await store.swap(notes, id, revision, { ...row, n: row.n + 1 })
      took.push(performance.now() - from)
      if (!written.ok) throw new Error(`${id} was written by nobody else, and the write was refused`)
      records[at] = written.record
    }
  }
  const svc: Contender = {
    name: 'svc: 64 writers, each waits for its own',
    block: () => rate(WRITES, async () => void (await Promise.all(records.map((_, at) => writer(at))))),
  }
  const bare = (name: string): Contender & { close(): void } => {
    const rows = openBareRows(path.join(dir, `${name.replaceAll(' ', '-')}.db`), IN_FLIGHT)
    return {
      name,
      block: () =>
        rate(WRITES, () => {
          for (let n = 0; n < WRITES / IN_FLIGHT; n++) rows.swapAll(n)
        }),
      close: rows.close,
    }
  }
  const [base, twin] = [bare('bare node:sqlite, 64 a transaction'), bare('bare twin')]
  const outcome = await compare({
    title: 'acknowledged compare-and-set that survives a power cut',
    unit: 'writes/s',
    better: 'more',
    blocks: BLOCKS,
    aaWithin: 0.1,
    base,
    twin,
    others: [svc],
  })
  base.close()
  twin.close()
  const sorted = took.sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
  console.log(`  a write of svc takes ${at(0.5)} ms, p99 ${at(0.99)} ms`)
  return outcome
}

async function appends(dir: string, { bus }: Folder): Promise<Outcome> {
  const seqs = Array.from({ length: IN_FLIGHT }, () => 1)
  async function writer(at: number): Promise<void> {
    for (let n = 0; n < WRITES / IN_FLIGHT; n++) {
      const written = await bus.journal.append(`bench ${at}`, seqs[at] ?? 1, [ITEM])
      if (!written.ok) throw new Error(`an append to journal ${at} was refused`)
      seqs[at] = written.tail + 1
    }
  }
  const bare = (name: string): Contender & { close(): void } => {
    const items = openBareItems(path.join(dir, `${name.replaceAll(' ', '-')}.db`), IN_FLIGHT)
    let seq = 0
    return {
      name,
      block: () =>
        rate(WRITES, () => {
          for (let n = 0; n < WRITES / IN_FLIGHT; n++) {
            seq += 1
            items.appendAll(seq, ITEM)
          }
        }),
      close: items.close,
    }
  }
  const [base, twin] = [bare('bare node:sqlite items'), bare('bare twin items')]
  const outcome = await compare({
    title: 'acknowledged appends to 64 journals that survive a killed process',
    unit: 'appends/s',
    better: 'more',
    blocks: BLOCKS,
    aaWithin: 0.1,
    base,
    twin,
    others: [
      {
        name: 'svc: 64 writers, each waits for its own',
        block: () => rate(WRITES, async () => void (await Promise.all(seqs.map((_, at) => writer(at))))),
      },
    ],
  })
  base.close()
  twin.close()
  return outcome
}

/** How much later a job runs whose host writes to a folder before it starts a process. */
async function jobStarts(dir: string): Promise<Outcome> {
  const folder = await openFolder(dir)
  const { store, bus, blobs } = folder
  const hosts = [
    await openStartHost({}),
    await openStartHost({}),
    await openStartHost({ store, bus, blobs }),
  ] as const
  const contender = (name: string, host: StartHost): Contender => ({
    name,
    block: () => medianStart(() => untilEvent(host, 'running')),
  })
  const [memory, twin, sqlite] = hosts
  try {
    const outcome = await compare({
      title: 'a job, start to running, by where the state is',
      unit: 'ms',
      better: 'less',
      base: contender('state in memory', memory),
      twin: contender('twin', twin),
      others: [contender('state in a folder', sqlite)],
    })
    const [base, , other] = outcome.rows.map(({ figure }) => figure.median)
    console.log(`  the folder takes ${((other ?? Number.NaN) - (base ?? Number.NaN)).toFixed(2)} ms more`)
    return outcome
  } finally {
    for (const { testHost, runner } of hosts) {
      await testHost.close()
      await runner.close()
    }
    await folder.close()
  }
}

/** Opens a folder of a million rows in processes of their own. */
async function large(dir: string): Promise<void> {
  const folder = await openFolder(dir, { durability: { records: 'process' } })
  await fillStore(folder.store, LARGE_ROWS)
  await folder.close()
  const script = fileURLToPath(new URL('state/open-large.ts', import.meta.url))
  const figures: { tookMs: number; rssMib: number }[] = []
  for (let n = 0; n < BLOCKS; n++) {
    const child = fork(script, [dir, `note-${n}`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const [message] = await once(child, 'message')
    figures.push(message as { tookMs: number; rssMib: number })
    await once(child, 'exit')
  }
  const tookMs = spread(figures.map((one) => one.tookMs))
  const rssMib = spread(figures.map((one) => one.rssMib))
  console.log(`\na folder of ${LARGE_ROWS} rows: opened and a row read`)
  console.log(`  ${tookMs.median.toFixed(0)} ms (${tookMs.q1.toFixed(0)} to ${tookMs.q3.toFixed(0)})`)
  console.log(`  the process takes ${rssMib.median.toFixed(0)} MiB`)
}

if (import.meta.main) await benchState()
