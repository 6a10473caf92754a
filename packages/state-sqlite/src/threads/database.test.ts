import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LOG_BYTES, openDatabase } from './database.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-database-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

it('a log that was taken into its file is written over, and cut to the length from which it is taken', () => {
  const file = path.join(dir, 'a.db')
  const steps = ['CREATE TABLE kept (n INTEGER PRIMARY KEY, text TEXT)']
  const format = { what: 'a test', applicationId: 1, steps }
  const db = openDatabase({ path: file, format, durability: 'power' })
  const logBytes = () => statSync(`${file}-wal`).size
  const add = db.prepare('INSERT INTO kept (text) VALUES (?)')
  add.run('x'.repeat(2 * LOG_BYTES))
  expect(logBytes()).toBeGreaterThan(2 * LOG_BYTES)
  for (let round = 0; round < 2; round += 1) {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    add.run('y')
    expect(logBytes()).toBe(LOG_BYTES)
  }
  db.close()
})
