import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rounds, roundsSeed } from './rounds.ts'
import { bundleProcess } from './testing/bundle-process.ts'
import { whatIsWrong } from './testing/check-folder.ts'
import { openHostChecks } from './testing/crash/host-checks.ts'
import type { Found, Wanted } from './testing/crash/host-look.ts'
import { nowMs, readNotes } from './testing/notes.ts'
import { seeded } from './testing/seeded.ts'

const KILLS = rounds(80, 4)
const CALLS = 60
const DELAY_MS = 50
/** How many hosts are killed by the next kill without a look at what the one before left. */
const UNSEEN = 0.3
const PATIENCE_MS = 10_000
const HOUR_MS = 3_600_000

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'svc-host-kills-'))
  const at = (file: string) => path.join(import.meta.dirname, 'testing', 'crash', `${file}.ts`)
  await bundleProcess(path.join(dir, 'bin'), {
    'host-load': at('host-load'),
    'host-look': at('host-look'),
    'starts-plugin': at('starts-plugin'),
  })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const start = (script: string, args: readonly string[]) =>
  spawn(process.execPath, [path.join(dir, 'bin', `${script}.mjs`), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })

/** Resolves with the time at which the host was dead. */
async function runAndKill(args: readonly string[], delayMs: number): Promise<number> {
  const child = start('host-load', args)
  const exit = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  createInterface(child.stdout).on('line', (line) => {
    if (line === 'reached') setTimeout(kill, delayMs)
    if (line === 'ready') setTimeout(kill, PATIENCE_MS).unref()
  })
  const [code, signal] = await exit
  expect(signal, `the host ended by itself with ${code}`).toBe('SIGKILL')
  return nowMs()
}

async function look(wanted: Wanted): Promise<Found> {
  const child = start('host-look', [dir])
  const exit = once(child, 'exit')
  child.stdin.end(JSON.stringify(wanted))
  const said = await text(child.stdout)
  expect(await exit).toEqual([0, null])
  return JSON.parse(said)
}

it(
  `a host that is killed ${KILLS} times keeps what it acknowledged, ends each run and job once, and starts none twice`,
  async () => {
    const seed = roundsSeed()
    const random = seeded(seed)
    const checks = openHostChecks(dir)
    for (let kill = 1; kill <= KILLS; kill++) {
      const notes = path.join(dir, `notes-${kill}`)
      const calls = 1 + Math.floor(random() * CALLS)
      const ended = await runAndKill(
        [dir, notes, String(seed * 1_000 + kill), String(calls)],
        random() * DELAY_MS,
      )
      checks.killed(readNotes(notes, ended))
      if (kill < KILLS && random() < UNSEEN) continue
      const found = await look(checks.wanted())
      const wrong = [...checks.wrong(found), ...whatIsWrong(path.join(dir, 'data'))]
      // As text: a report shows a list as its length.
      expect(wrong.join('\n'), `after kill ${kill}`).toBe('')
    }
    const counts = checks.counts()
    console.log(counts)
    for (const count of [counts.keys, counts.uploads, counts.jobs, counts.runs])
      expect(count).toBeGreaterThan(0)
  },
  HOUR_MS,
)
