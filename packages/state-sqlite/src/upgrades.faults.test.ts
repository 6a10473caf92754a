import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { rounds } from '@svc/conformance/rounds'
import { bundleProcess } from '@svc/conformance/testing/bundle-process'
import { whatIsWrong } from '@svc/conformance/testing/check-folder'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordsFormat } from './threads/format.ts'

const KILLS = rounds(8, 3)
const STEP_ROWS = 300_000

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-upgrades-'))
  await bundleProcess(path.join(dir, 'bin'), {
    upgrade: path.join(import.meta.dirname, 'testing', 'upgrade.ts'),
  })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Upgrades the file; killed so many ms after it began. Resolves with how long it took. */
async function upgrade(file: string, killedAfterMs?: number): Promise<number> {
  const child = spawn(process.execPath, [path.join(dir, 'bin', 'upgrade.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  let began = 0
  let ended = 0
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'upgraded') ended = performance.now()
    if (line !== 'upgrading') return
    began = performance.now()
    if (killedAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killedAfterMs)
  })
  await exit
  return ended - began
}

function versionOf(file: string): number {
  const db = new DatabaseSync(file)
  try {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version)
    const hasMore = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'more'").get() !== undefined
    expect(hasMore).toBe(version > recordsFormat.steps.length)
    if (hasMore) expect(db.prepare('SELECT count(*) AS found FROM more').get()?.found).toBe(STEP_ROWS)
    return version
  } finally {
    db.close()
  }
}

it(`an upgrade that is killed leaves the file before or after it, and the next start does it`, async () => {
  const copyOf = async (name: string) => {
    const folder = path.join(dir, name)
    await cp(path.join(import.meta.dirname, '..', 'fixtures', 'format-1'), folder, { recursive: true })
    // Git keeps no modes but that of programs.
    await chmod(path.join(folder, 'secret'), 0o600)
    return path.join(folder, 'svc.db')
  }
  const wholeMs = await upgrade(await copyOf('whole'))
  expect(wholeMs).toBeGreaterThan(0)
  const versions: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const file = await copyOf(`kill-${kill}`)
    await upgrade(file, (kill / KILLS) * wholeMs)
    versions.push(versionOf(file))
    await upgrade(file)
    expect(versionOf(file)).toBe(recordsFormat.steps.length + 1)
    expect(whatIsWrong(path.dirname(file))).toEqual([])
  }
  expect(versions).toContain(recordsFormat.steps.length)
})
