import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { queryObjects } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { collection } from '@svc/state'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFolder } from '../index.ts'

const rows = collection({ name: 'rows', row: {} as { filling: string }, indexes: {} })
/** More than a log has before it is taken into its file. */
const ROUND_ROWS = 400
const FILLING = 'x'.repeat(16_000)
/** Longer than a thread without work stays. */
const IDLE_MS = 11_000

let dir: string
let folder: Awaited<ReturnType<typeof openFolder>>
let ended: Promise<void>[]
const onWorker = (worker: Worker) => {
  if (worker.threadName !== 'svc-state-keeper') return
  ended.push(new Promise((resolve) => worker.once('exit', () => resolve())))
}
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-upkeep-'))
  ended = []
  process.on('worker', onWorker)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  folder = await openFolder(dir)
})
afterEach(async () => {
  await folder.close()
  vi.useRealTimers()
  process.off('worker', onWorker)
  await rm(dir, { recursive: true })
})

it('a folder holds nothing of a thread that has ended', async () => {
  const { store } = folder
  const round = async (at: number) => {
    for (let n = 0; n < ROUND_ROWS; n += 1) await store.insert(rows, `${at} ${n}`, { filling: FILLING })
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBe(at)
    let isOver = false
    void ended[at - 1]?.then(() => {
      isOver = true
    })
    await expect.poll(() => vi.advanceTimersByTime(IDLE_MS) && isOver, { timeout: 20_000 }).toBe(true)
  }
  await round(1)
  const threads = queryObjects(Worker, { format: 'count' })
  await round(2)
  await round(3)
  expect(queryObjects(Worker, { format: 'count' })).toBe(threads)
})
