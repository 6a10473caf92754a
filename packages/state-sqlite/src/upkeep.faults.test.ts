import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { collection } from '@svc/state'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFolder } from './index.ts'

const ROWS = 1_500
const ROW_BYTES = 16_000

const rows = collection({ name: 'rows', row: {} as { filling: string }, indexes: { all: () => [] } })

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-upkeep-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it('files shrink again after a mass removal', async () => {
  const folder = path.join(dir, 'shrinking')
  const { store, bus, close } = await openFolder(folder)
  const bytes = async () => {
    const sizes = ['svc.db', 'svc.db-wal', 'journals.db', 'journals.db-wal'].map(
      async (name) => (await stat(path.join(folder, name))).size,
    )
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size)
  }
  const filling = 'x'.repeat(ROW_BYTES)
  const written = await Promise.all(
    Array.from({ length: ROWS }, (_, n) => store.insert(rows, `row ${n}`, { filling })),
  )
  for (let seq = 1; seq <= ROWS; seq += 100)
    await bus.journal.append(
      'journal',
      seq,
      Array.from({ length: 100 }, () => JSON.stringify(filling)),
    )
  const full = await bytes()
  expect(full).toBeGreaterThan(2 * ROWS * ROW_BYTES)
  await Promise.all(
    written.map((result) => result.ok && store.remove(rows, result.record.id, result.record.revision)),
  )
  await bus.journal.trim('journal', { keep: 1 })
  await expect.poll(bytes, { interval: 100, timeout: 200_000 }).toBeLessThan(full / 4)
  await close()
})
