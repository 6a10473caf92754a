import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { rounds, roundsSeed } from '@svc/conformance/rounds'
import { bundleProcess } from '@svc/conformance/testing/bundle-process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { KillReport } from './testing/crash/kill-cycles.ts'

/** Folders whose processes are killed at the same time. */
const FOLDERS = 2
const KILLS = rounds(420, 20)
const HOUR_MS = 3_600_000

const start = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-kills-'))
  const at = (file: string) => path.join(import.meta.dirname, file)
  const entries = {
    main: at('testing/crash/main.ts'),
    load: at('testing/crash/load.ts'),
  }
  await bundleProcess(path.join(dir, 'bin'), entries)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

it(
  `a folder whose process is killed ${KILLS} times keeps what was acknowledged, whole, and nothing else`,
  async () => {
    const seed = roundsSeed()
    const folders = Array.from({ length: FOLDERS }, async (_, at): Promise<KillReport> => {
      const args = [path.join(dir, String(at)), String(seed + at), String(KILLS / FOLDERS)]
      const { stdout } = await start(process.execPath, [path.join(dir, 'bin', 'main.mjs'), ...args])
      return JSON.parse(stdout)
    })
    const reports = await Promise.all(folders)
    console.log(reports)
    expect(reports.map(({ kills }) => kills)).toEqual(folders.map(() => KILLS / FOLDERS))
    for (const { acknowledged, open } of reports) expect(Math.min(acknowledged, open)).toBeGreaterThan(0)
  },
  HOUR_MS,
)
