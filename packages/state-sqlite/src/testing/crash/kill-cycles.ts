import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { whatIsWrong } from '@svc/conformance/testing/check-folder'
import { type Call, nowMs, readNotes } from '@svc/conformance/testing/notes'
import { seeded } from '@svc/conformance/testing/seeded'
import { checkFolder, openFolder } from '../../index.ts'
import { openBlobChecks } from './blobs.ts'
import { openJournalChecks } from './journals.ts'
import { openRegisterChecks } from './registers.ts'

/** How many of the kills come while the folder is being opened, and its log recovered. */
const OPENING = 0.25
/** How many folders are opened by the next process to be killed, and not looked at before. */
const UNSEEN = 0.3
/** The others come after so many calls at most, and so many ms. */
const CALLS = 400
const DELAY_MS = 30
/** A machine that does fewer calls than that is not waited for, in ms. */
const PATIENCE_MS = 2_000

/** What a number of kills came to. */
export interface KillReport {
  kills: number
  /** Calls whose promise had resolved, and those that the kill left open. */
  acknowledged: number
  open: number
}

/**
 * Starts a process that writes into the folder `dir`, kills it at a random moment, looks at what is there, and so on.
 * Throws where something acknowledged is lost, or something is there in part.
 */
export async function killCycles(dir: string, seed: number, cycles: number): Promise<KillReport> {
  const random = seeded(seed)
  const checks = { registers: openRegisterChecks(), journals: openJournalChecks(), blobs: openBlobChecks() }
  const report: KillReport = { kills: 0, acknowledged: 0, open: 0 }
  const folder = path.join(dir, 'data')
  await mkdir(dir, { recursive: true })
  for (let cycle = 1; cycle <= cycles; cycle++) {
    const notes = path.join(dir, `notes-${cycle}`)
    const whileOpening = random() < OPENING
    const after = 1 + Math.floor(random() * CALLS)
    const delayMs = random() * DELAY_MS
    const args = [folder, notes, String(seed * 1_000 + cycle), String(after)]
    const ended = await runAndKill(args, whileOpening ? 'opening' : 'reached', delayMs)
    const calls = readNotes(notes, ended)
    await rm(notes)
    for (const [load, check] of Object.entries(checks)) check.killed(callsOf(calls, load))
    report.kills += 1
    report.acknowledged += calls.filter(({ result }) => result !== undefined).length
    report.open += calls.filter(({ result }) => result === undefined).length
    if (cycle < cycles && random() < UNSEEN) continue
    const { store, bus, blobs, close } = await openFolder(folder)
    try {
      await checks.registers.check(store, nowMs)
      await checks.journals.check(bus.journal)
      await checks.blobs.check(blobs)
    } finally {
      await close()
    }
    const { problems } = await checkFolder(folder)
    const wrong = [...problems, ...whatIsWrong(folder)]
    if (wrong.length > 0) throw new Error(`after kill ${cycle}: ${wrong.join('; ')}`)
  }
  return report
}

const callsOf = (calls: readonly Call[], load: string) => calls.filter((call) => call.load === load)

/** Resolves with the time at which the process was dead. */
async function runAndKill(args: readonly string[], word: string, delayMs: number): Promise<number> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, `load${path.extname(import.meta.filename)}`), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exit = once(child, 'exit')
  const kill = () => void child.kill('SIGKILL')
  createInterface(child.stdout).on('line', (line) => {
    if (line === word) setTimeout(kill, delayMs)
    else if (line === 'ready') setTimeout(kill, PATIENCE_MS).unref()
  })
  const [code, signal] = await exit
  if (signal !== 'SIGKILL') throw new Error(`the process ended by itself with ${code ?? signal}`)
  return nowMs()
}
