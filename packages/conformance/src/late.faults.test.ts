import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/contract'
import { type CallOutcome, createRunner } from '@svc/runner'
import { afterAll, expect } from 'vitest'
import { slackMs } from './testing/processes.ts'
import { verifies } from './verifies.ts'

/** A plugin that goes on makes its next steps within this. */
const LOOK_MS = 200
const PATIENT = { timeout: 20_000, interval: 20 }
const GRACE_MS = 400
const TIMEOUT_MS = 5_000

const folder = mkdtempSync(join(tmpdir(), 'svc-late-'))
const runner = createRunner()
afterAll(async () => {
  await runner.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The template of plugins in Python, with a tool that never asks whether it is to stop. */
function pythonPlugin(): string {
  const template = new URL('../../create-svc/templates/plugin-python/plugin.py', import.meta.url)
  const tool = `
import uuid
SELF = uuid.uuid4()

def steps(args, call):
    for _ in range(args["count"]):
        with open(args["file"], "a") as file:
            file.write(f"{SELF} {time.time() * 1000:.0f}\\n")
        time.sleep(0.05)
    return "all of it"

TOOLS["steps"] = ("Steps.", [], {}, steps)
MANIFEST = {`
  const file = join(folder, 'plugin.py')
  writeFileSync(
    file,
    readFileSync(template, 'utf8').replace('MANIFEST = {', tool).replace('{{name}}', 'late'),
  )
  return file
}

const commands = {
  node: ['node', new URL('./testing/late-plugin.ts', import.meta.url).pathname],
  python: ['python3', pythonPlugin()],
}

/** What was done of a call: by which process, and when. */
const stepsOf = (file: string) =>
  (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '))
    .map(([by = '', at]) => ({ by, at: Number(at) }))

function begin(language: keyof typeof commands, how: 'call' | 'job', tool: string, more = {}) {
  const file = join(folder, randomUUID())
  const cancel = new AbortController()
  const work = {
    userId: `${language} ${how} ${tool}`,
    plugin: { id: `tool-${language}`, version: '1.0.0', command: commands[language] },
    tool,
    args: { file, count: 2_000, ...more },
    timeoutMs: TIMEOUT_MS,
    deadlineMs: Date.now() + TIMEOUT_MS,
    maxResultBytes: limits.SYNC_PAYLOAD_MAX_BYTES,
    signal: cancel.signal,
  }
  const listeners = { onStarted() {}, onProgress() {}, onDropped() {}, onHeartbeat() {} }
  const outcome: Promise<CallOutcome> =
    how === 'call'
      ? runner.call({ ...work, invokeId: randomUUID(), graceMs: GRACE_MS })
      : runner.job({ ...work, jobId: randomUUID(), ...listeners })
  return { file, cancel, outcome, deadlineMs: work.deadlineMs }
}

verifies.each('wall.plugin.late')([
  ['call', 'deadline', 'node', 'steps'],
  ['call', 'deadline', 'node', 'half'],
  ['call', 'deadline', 'python', 'steps'],
  ['call', 'cancel', 'node', 'steps'],
  ['call', 'cancel', 'node', 'half'],
  ['call', 'cancel', 'python', 'steps'],
  ['job', 'deadline', 'node', 'steps'],
  ['job', 'deadline', 'node', 'half'],
  ['job', 'cancel', 'python', 'steps'],
] as const)('of a %s nothing goes on after its %s: %s, %s', async (how, end, language, tool) => {
  const { cancel, deadlineMs, file, outcome } = begin(language, how, tool)
  await expect.poll(() => stepsOf(file).length, PATIENT).toBeGreaterThan(1)
  const cancelledMs = Date.now()
  if (end === 'cancel') cancel.abort('enough')
  expect(await outcome).toMatchObject({ ok: false, code: end === 'cancel' ? 'cancelled' : 'tool_timeout' })
  const next = begin(language, how, 'steps', { count: 3 })
  expect(await next.outcome).toMatchObject({ ok: true, payload: 'all of it' })

  const endMs = end === 'cancel' ? cancelledMs : deadlineMs + (how === 'call' ? GRACE_MS : 0)
  const most = limits.CANCEL_KILL_MS + (await slackMs())
  const wait = { ...PATIENT, timeout: most + PATIENT.timeout }
  await expect.poll(() => Date.now() - endMs, wait).toBeGreaterThan(most + LOOK_MS)
  const steps = stepsOf(file)
  expect((steps.at(-1)?.at ?? 0) - endMs).toBeLessThan(most)
  expect(stepsOf(next.file).map(({ by }) => by)).not.toContain(steps[0]?.by)
})
