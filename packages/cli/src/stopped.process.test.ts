import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { keepAliveClock } from '@svc/node'
import { afterAll, beforeAll, expect } from 'vitest'
import { startSvc } from './testing/cli.ts'

/** Each is a whole start. */
const START_MS = 60_000
/** Parts of a start, one moment for each. */
const MOMENTS = rounds(8, 4)
let cwd = ''
let startMs = 0

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), 'svc-stopped-'))
  writeFileSync(path.join(cwd, 'svc.config.json'), JSON.stringify({ signIn: 'dev', port: 0 }))
  // The first start builds what the others find.
  for (let starts = 0; starts < 2; starts++) {
    const began = performance.now()
    const svc = startSvc(['serve'], { cwd })
    await svc.sees('svc serves')
    startMs = performance.now() - began
    svc.child.kill('SIGTERM')
    await svc.ended
  }
}, START_MS)
afterAll(() => rmSync(cwd, { recursive: true }))

const after = (ms: number) => new Promise<void>((resolve) => void keepAliveClock.setTimer(resolve, ms))
/** What SQLite leaves of a folder that nobody closed. */
const leftOpen = () => {
  const data = path.join(cwd, 'svc-data')
  return existsSync(data) ? readdirSync(data).filter((name) => name.endsWith('-wal')) : []
}
const FAULT = /inside svc itself|\n {4}at |Error/

verifies.each('cli.stopped')([['SIGTERM'], ['SIGINT'], ['SIGHUP']] as const)(
  '%s at once behind the line ends in order',
  async (signal) => {
    const svc = startSvc(['serve'], { cwd })
    await svc.sees('svc serves')
    svc.child.kill(signal)
    const { code, err } = await svc.ended
    expect({ code, left: leftOpen() }).toEqual({ code: 0, left: [] })
    expect(err).not.toMatch(FAULT)
  },
  START_MS,
)

verifies.each('cli.stopped')(
  Array.from({ length: MOMENTS }, (_, at) => [at, at % 2 === 0 ? 'SIGTERM' : 'SIGINT'] as const),
)(
  'at moment %i of a start %s ends in order',
  async (at, signal) => {
    const svc = startSvc(['serve'], { cwd })
    await after(((at + 1) / MOMENTS) * startMs)
    svc.child.kill(signal)
    const { code, err } = await svc.ended
    // Before Node reads the first module nobody can hear, and nothing is open.
    const isBoot = code === null && svc.child.signalCode === signal
    expect({ code: isBoot ? 0 : code, left: leftOpen() }).toEqual({ code: 0, left: [] })
    expect(err).not.toMatch(FAULT)
    if (at > MOMENTS / 3) expect(isBoot).toBe(false)
  },
  START_MS,
)
