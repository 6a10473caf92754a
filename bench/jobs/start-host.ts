import { fileURLToPath } from 'node:url'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import type { WindowEvent } from '@svc/contract'
import { type Bus, type HostOptions, memoryBus, systemClock } from '@svc/host'
import { createRunner, type Runner } from '@svc/runner'
import { spread } from '../lib/pairs.ts'

/** A plugin in one small file. */
export const PLUGIN = fileURLToPath(new URL('../stdio/raw-plugin.mjs', import.meta.url))
const STARTS_A_BLOCK = 3
const HOUR_MS = 3_600_000

/** A host whose jobs run the raw plugin in real processes, and when its events stood in the user's journal. */
export interface StartHost {
  /** When the process of the last job was there, by the clock of `performance`. */
  processAt(): number
  readonly testHost: TestHost
  readonly window: TestWindow
  readonly runner: Runner
  readonly bus: Bus
}

/** Opens one that keeps its state in memory, or where `state` says. Close its host and its runner. */
export async function openStartHost({
  bus = memoryBus({ clock: systemClock }),
  ...state
}: Pick<HostOptions, 'store' | 'bus' | 'blobs'>): Promise<StartHost> {
  const runner = createRunner({})
  let processAt = Number.NaN
  const job: Runner['job'] = (input) =>
    runner.job({
      ...input,
      onStarted() {
        processAt = performance.now()
        input.onStarted()
      },
    })
  const testHost = await openTestHost({
    ...state,
    bus,
    runner: { ...runner, job },
    secret: 's'.repeat(32),
    limits: { WINDOW_TOKEN_TTL_MS: HOUR_MS },
    plugins: [{ slug: 'raw', command: [process.execPath, PLUGIN] }],
    manifest: { required_plugs: ['raw'] },
  })
  await testHost.host.plugins.ready()
  return { testHost, window: await testHost.openWindow(), runner, bus, processAt: () => processAt }
}

/** From `invokeAsync` until the process of a job is there, in ms; afterwards it is gone. */
export async function untilProcess(host: StartHost): Promise<number> {
  const begin = performance.now()
  await untilEvent(host, 'succeeded')
  return host.processAt() - begin
}

/** From `invokeAsync` to the event of a job, in ms; afterwards its process is gone. */
export async function untilEvent({ window, runner, bus }: StartHost, wanted: string): Promise<number> {
  const { tail } = await bus.journal.read('user:ada', 0, { limit: 0 })
  const over = new AbortController()
  const begin = performance.now()
  const started = window.call('tools', 'invokeAsync', { tool_id: 'raw', method: 'echo', args: {} })
  let took = Number.NaN
  let ended = false
  for await (const { items } of bus.journal.follow('user:ada', tail, { signal: over.signal })) {
    const events = items.map(({ item }) => JSON.parse(item) as WindowEvent<'tool_job'>)
    if (Number.isNaN(took) && events.some(({ event }) => event === wanted)) took = performance.now() - begin
    ended ||= events.some(({ terminal }) => terminal)
    if (ended) over.abort()
  }
  const answer = await started
  if (!answer.ok) throw new Error(answer.error.message)
  while (runner.stats().processes > 0) await new Promise((done) => setTimeout(done, 2))
  return took
}

/** The median of a few starts, in ms. */
export const medianStart = async (measure: () => Promise<number>) => {
  const times: number[] = []
  for (let at = 0; at < STARTS_A_BLOCK; at++) times.push(await measure())
  return spread(times).median
}
