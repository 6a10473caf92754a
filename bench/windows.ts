import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Result } from './lib/result.ts'
import { startBare, startSvc } from './windows/contender.ts'
import { openAll } from './windows/costs.ts'
import { beatAll } from './windows/heartbeats.ts'
import { coldWindows, eventsToOne } from './windows/trips.ts'

const USERS = 2_000
const BEAT_SECONDS = 20
const EVENTS = 1_000
const COLD = 300

/**
 * 10 000 open windows of 2 000 users: what they cost, their heartbeats, an event to one and a new window, beside
 * `node:http` and `ws` alone. `--folder`: the host keeps its state in a folder.
 */
export async function benchWindows(): Promise<Result[]> {
  const isInFolder = process.argv.includes('--folder')
  const dir = isInFolder ? mkdtempSync(path.join(tmpdir(), 'svc-bench-windows-')) : undefined
  const all = await Promise.all([
    startBare('bare'),
    startBare('bare (A/A)'),
    startSvc(isInFolder ? 'svc, state in a folder' : 'svc, state in memory', dir),
  ])
  try {
    return [
      ...(await openAll(all, USERS)),
      await beatAll(all, BEAT_SECONDS),
      await eventsToOne(all, EVENTS),
      await coldWindows(all, COLD),
    ]
  } finally {
    await Promise.all(all.map((one) => one.close()))
    if (dir !== undefined) rmSync(dir, { recursive: true })
  }
}

if (import.meta.main) await benchWindows()
