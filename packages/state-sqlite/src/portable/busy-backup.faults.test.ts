import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { all } from '@svc/state'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backupFolder, checkFolder, openFolder, restoreFolder } from '../index.ts'
import { ACCOUNTS, accounts, TOTAL } from '../testing/transfers.ts'

/** What the writer says when it is told to stop. */
interface Written {
  readonly writes: number
  readonly seconds: number
}

const BACKUPS = 3

describe('a backup of a folder that another process writes to', () => {
  let dir: string
  let data: string
  let writer: ChildProcess

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'svc-busy-'))
    data = path.join(dir, 'data')
    writer = fork(path.join(import.meta.dirname, '../testing/transfer-process.ts'), [data], { execArgv: [] })
    await once(writer, 'message')
  })
  afterEach(async () => {
    writer.kill('SIGKILL')
    await rm(dir, { recursive: true })
  })

  it('has a state as it was at one moment, and does not stop the writer', async () => {
    for (let at = 0; at < BACKUPS; at++) await backupFolder(data, path.join(dir, `${at}.tar`))
    expect((await checkFolder(data)).problems).toEqual([])
    writer.send('stop')
    const [{ writes, seconds }] = (await once(writer, 'message')) as [Written]
    const rate = writes / seconds
    console.info(`${Math.round(rate)} writes a second while ${BACKUPS} backups were made`)
    expect(rate).toBeGreaterThan(1_000)

    let before = -1
    for (let at = 0; at < BACKUPS; at++) {
      const restored = path.join(dir, `restored-${at}`)
      await restoreFolder(path.join(dir, `${at}.tar`), restored)
      expect((await checkFolder(restored)).problems).toEqual([])
      const { store, bus, blobs, close } = await openFolder(restored)
      const rows = await all(store, accounts, 'byNumber')
      expect(rows).toHaveLength(ACCOUNTS)
      // Each transfer first takes and then gives: at most those that were under way are missing.
      const inTransit = rows.reduce((sum, { row }) => sum + row.sent - row.received, 0)
      expect(inTransit).toBeGreaterThanOrEqual(0)
      expect(inTransit).toBeLessThanOrEqual(ACCOUNTS)
      expect(rows.reduce((sum, { row }) => sum + row.amount, 0)).toBe(TOTAL - inTransit)
      // A journal has an item for each transfer that was begun when it was appended.
      for (const { id, row } of rows) {
        const { tail, items } = await bus.journal.read(id, 0)
        expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: tail }, (_, n) => n + 1))
        expect(tail).toBeGreaterThanOrEqual(row.noted)
        if (row.blob !== null) expect(await blobs.get(row.blob)).not.toBe(null)
      }
      const sent = rows.reduce((sum, { row }) => sum + row.sent, 0)
      expect(sent).toBeGreaterThan(before)
      before = sent
      await close()
    }
  })
})
