import { openTurnMeter, readFigures } from '@svc/conformance/testing/turn-meter'
import { createRunner } from '../runner.ts'

/**
 * A host whose runner has a job that writes for ever, and calls beside it; tells as JSON what the job costs: the growth
 * of its memory in bytes, and the longest that it kept the calls waiting, see `TurnMeter`. Arguments: the number of
 * rounds of a loud and a quiet phase, ms of each phase, the job's command as JSON. The job's id is `tjob_flood`.
 */
const [rounds = 0, phaseMs = 0] = process.argv.slice(2, 4).map(Number)
const command = JSON.parse(process.argv[4] ?? '[]')
const CALL_EVERY_MS = 3
const runner = createRunner()
const hostile = new URL('./hostile.mjs', import.meta.url).pathname
const echo = { id: 'echo', version: '1', command: ['node', hostile] }
const flood = { id: 'flood', version: '1', command }
let calls = 0

/**
 * Calls, one each few ms, for a while; they are answered whatever the job does. Each begins in a turn of its own: those
 * that a busy machine kept from beginning would otherwise begin in one turn, which would count as a long one.
 */
async function phase(): Promise<void> {
  const startMs = performance.now()
  const answered: Promise<void>[] = []
  for (let dueMs = startMs; dueMs < startMs + phaseMs; dueMs += CALL_EVERY_MS) {
    await new Promise((next) => setTimeout(next, Math.max(1, dueMs - performance.now())))
    answered.push(call())
  }
  await Promise.all(answered)
}

async function call(): Promise<void> {
  const outcome = await runner.call({
    userId: 'ada',
    plugin: echo,
    tool: 'echo',
    args: { text: 'x'.repeat(100) },
    invokeId: `inv_${++calls}`,
    timeoutMs: 10_000,
    deadlineMs: Date.now() + 10_000,
    graceMs: 0,
    maxResultBytes: 4_194_304,
  })
  if (!outcome.ok) throw new Error(outcome.message)
}

/** A job that floods until it is stopped; one that the runner ends is begun again. */
function startFlood(): () => Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  const endless = async () => {
    while (!signal.aborted)
      await runner.job({
        userId: 'bob',
        plugin: flood,
        tool: 'flood',
        jobId: 'tjob_flood',
        maxResultBytes: 262_144,
        timeoutMs: 60_000,
        deadlineMs: Date.now() + 60_000,
        signal,
        onStarted() {},
        onProgress() {},
        onDropped() {},
        onHeartbeat() {},
      })
  }
  const ended = endless()
  return async () => {
    controller.abort()
    await ended
  }
}

await phase()
const before = process.memoryUsage().rss
let most = before
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 20)
const meter = openTurnMeter()
for (let round = 0; round < rounds; round++) {
  const stop = startFlood()
  await phase()
  await stop()
  // What a job has left in its pipe is read when it is over.
  await phase()
}
const figures = readFigures(meter)
meter.close()
clearInterval(watch)
await runner.close()
process.stdout.write(JSON.stringify({ growth: most - before, ...figures }))
