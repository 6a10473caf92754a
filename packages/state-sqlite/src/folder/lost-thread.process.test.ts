import { rm } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { quickFolder } from '@svc/conformance/testing/quick-folder'
import { all, collection } from '@svc/state'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Folder, openFolder } from '../index.ts'

const notes = collection({ name: 'notes', row: {} as { n: number }, indexes: { byN: ({ n }) => [n] } })
const CLIENTS = 20
const ENOUGH = 200

let dir: string
let folder: Folder
let lost: Error[]
let threads: Worker[]
const onWorker = (worker: Worker) => threads.push(worker)

async function open(): Promise<void> {
  folder = await openFolder(dir, { onLost: (error) => lost.push(error) })
}
beforeEach(async () => {
  dir = quickFolder('svc-lost-thread')
  lost = []
  threads = []
  process.on('worker', onWorker)
  await open()
})
afterEach(async () => {
  process.off('worker', onWorker)
  await folder.close()
  await rm(dir, { recursive: true })
})

/** Ends the thread of a role, as an error in it would. */
async function kill(role: 'records' | 'journals'): Promise<void> {
  const thread = threads.find(({ threadName }) => threadName === `svc-state-${role}`)
  if (!thread) throw new Error(`there is no thread for ${role}`)
  await thread.terminate()
}

const ended = (role: string, name: string) => ({
  name,
  code: 'unavailable',
  message: `the data folder ${dir} cannot be written: its thread for ${role} has ended`,
})

it('writers whose thread dies hear of it, and what was acknowledged to them is there', async () => {
  const done: string[] = []
  const enough = Promise.withResolvers<void>()
  async function write(client: number): Promise<never> {
    for (let n = 0; ; n += 1) {
      const id = `note ${n} of ${client}`
      await folder.store.insert(notes, id, { n })
      if (done.push(id) === ENOUGH) enough.resolve()
    }
  }
  const writers = Array.from({ length: CLIENTS }, (_, client) => write(client))
  await Promise.race([enough.promise, ...writers])
  await kill('records')
  const reasons = (await Promise.allSettled(writers)).map((one) => one.status === 'rejected' && one.reason)
  for (const reason of reasons) expect(reason).toMatchObject(ended('records', 'StoreError'))
  await folder.close()
  await open()
  const kept = (await all(folder.store, notes, 'byN')).map(({ id }) => id)
  expect(kept).toEqual(expect.arrayContaining(done))
  expect((await folder.store.insert(notes, 'later', { n: 0 })).ok).toBe(true)
})

it.each([
  ['records', 'StoreError', () => folder.store.insert(notes, 'a', { n: 1 })],
  ['journals', 'BusError', () => folder.bus.journal.append('journal', 1, ['1'])],
] as const)(
  'the end of the thread for %s is told once, and what it is asked is refused',
  async (role, name, ask) => {
    await kill(role)
    await expect.poll(() => lost).toHaveLength(1)
    for (let time = 0; time < 2; time += 1) await expect(ask()).rejects.toMatchObject(ended(role, name))
    expect(lost.map(({ message }) => message)).toEqual([ended(role, name).message])
    expect(folder.trouble()).toBe(`the data folder cannot be written: its thread for ${role} has ended`)
    await folder.close()
    await open()
    await ask()
    expect(folder.trouble()).toBeNull()
  },
)

it('a folder that is closed has lost nothing', async () => {
  await folder.close()
  expect(threads.map(({ threadId }) => threadId)).toEqual([-1, -1])
  expect(lost).toEqual([])
})
