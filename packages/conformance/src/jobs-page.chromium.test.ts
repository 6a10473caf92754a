import type { Browser, Frame } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { watchConnections } from './testing/network.ts'
import { openPageAt, openRealPage, type RealPage, startBridge } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

const STEPS = 300
const PATIENT = { timeout: 20_000, interval: 50 }
let browser: Browser
let at: RealPage
let network: ReturnType<typeof watchConnections>

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(async () => {
  network.close()
  await at.close()
})

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1)
const app = (body: string) =>
  `import { svc } from '@svc/sdk'; const told = []; globalThis.told = told; ${body}`
const walk = `{ tool_id: 'odd', method: 'tell', args: { steps: ${STEPS}, everyMs: 20 }, clientTag: 'walk' }`
/** A document as `docs/guides/jobs.md` tells to write it: it finds the job of the document before it. */
const walker = app(`const note = ({ seq, missed }) => told.push(missed > 0 ? -missed : seq);
  (async () => {
    const { jobs: [mine] } = await svc.tools.listJobs({ clientTag: 'walk' });
    const { jobId } = mine ?? await svc.tools.invokeAsync(${walk});
    const job = svc.tools.job(jobId);
    const reading = (async () => { for await (const one of job.progress()) note(one) })();
    const result = await job.result();
    await reading;
    show([told, result, (await job.snapshot()).lastSeq]);
  })()`)
const waiter =
  app(`svc.tools.invokeAsyncAwait(${walk}, { onProgress: ({ seq, missed }) => told.push(missed > 0 ? -missed : seq) })
  .then((result) => show([told, result]))`)

/** Waits until the document in the window has heard so much; it heard all from the first on, once. */
async function hears(least: number): Promise<void> {
  const told = () => at.frame().evaluate('told') as Promise<number[]>
  await expect.poll(async () => (await told()).length, PATIENT).toBeGreaterThanOrEqual(least)
  const seqs = await told()
  expect(seqs).toEqual(upTo(seqs.length))
}

/** Breaks the network off; between two attempts of the page nothing stands that could be broken off. */
const breaksOff = () => expect.poll(() => network.cut(), PATIENT).toBeGreaterThan(0)

verifies(
  ['design.sdk.job', 'design.sdk.job.progress', 'design.sdk.job.result', 'event.tool_job.loss'],
  'a job is followed without loss over a reload of its document, of the page, and of the network',
  async () => {
    network = watchConnections()
    at = await openRealPage(browser, { walker })
    await at.mount('walker')
    await hears(20)
    await at.page.evaluate(
      () =>
        new Promise<void>((done) => {
          globalThis.win.on('connected', () => done())
          globalThis.win.reload()
        }),
    )
    await hears(60)

    const windowUuid = await at.page.evaluate(() => globalThis.win.windowUuid)
    await at.page.reload()
    await startBridge(at.page)
    await at.page.evaluate(async (uuid) => {
      globalThis.win = await globalThis.bridge.attachWindow({ windowUuid: uuid, into: document.body })
    }, windowUuid)
    await hears(120)

    for (const least of [150, 180, 210]) {
      await breaksOff()
      await hears(least)
    }
    expect(await at.shown()).toEqual([upTo(STEPS), { told: STEPS }, STEPS])
  },
)

verifies(
  ['sdk.invokeAsyncAwait.progress', 'decision.wait.missed', 'decision.wait.outlives_host'],
  'who waits for a job hears all of its progress over a network that breaks off again and again',
  async () => {
    network = watchConnections()
    at = await openRealPage(browser, { waiter })
    await at.mount('waiter')
    for (const least of [20, 60, 100, 140, 180, 220]) {
      await hears(least)
      await breaksOff()
    }
    expect(await at.shown()).toEqual([upTo(STEPS), { told: STEPS }])
  },
)

/** A document that tells what it hears of jobs, and runs, reads and cancels them when asked to. */
const listener = app(`svc.on('tool_job', ({ job_id, event }) => told.push([job_id, event])); svc.ready;
  const code = (call) => call.then((value) => value, (error) => error.code);
  globalThis.run = (args) => code(svc.tools.invokeAsyncAwait({ tool_id: 'odd', ...args }));
  globalThis.reads = (jobId) => Promise.all([code(svc.tools.job(jobId).snapshot()), code(svc.tools.job(jobId).cancel('mine')),
    svc.tools.listJobs({}).then(({ jobs }) => jobs.length)]);
  globalThis.cancel = (jobId) => svc.tools.job(jobId).cancel('from beside')`)

verifies(
  ['decision.tool_job.windows', 'job.event.shape', 'job.foreign', 'decision.job.owner', 'job.cancel.reason'],
  'two windows of an app hear of a job and cancel it; another app and another user hear and read nothing',
  async () => {
    network = watchConnections()
    at = await openRealPage(browser, { listener, other: listener })
    const windows: Frame[] = []
    for (const name of ['listener', 'listener', 'other']) {
      await at.mount(name)
      windows.push(at.frame())
    }
    const [first, second, otherApp] = windows as [Frame, Frame, Frame]
    const bob = await openPageAt(browser, at.url, undefined, 'bob')
    await bob.mount('listener')
    const strangers = [otherApp, bob.frame()]
    const heard = (frame: Frame) => frame.evaluate('told') as Promise<[string, string][]>
    const hearsOf = async (frame: Frame, event: string) => {
      await expect.poll(async () => (await heard(frame)).map(([, one]) => one), PATIENT).toContain(event)
      return (await heard(frame))[0]?.[0] as string
    }

    const running = first.evaluate(`run({ method: 'hang' })`)
    const jobId = await hearsOf(second, 'running')
    for (const frame of strangers)
      expect(await frame.evaluate(`reads('${jobId}')`)).toEqual(['job_not_found', 'job_not_found', 0])
    expect(await second.evaluate(`cancel('${jobId}')`)).toEqual({
      jobId,
      state: 'cancelled',
      cancelled: true,
    })
    expect(await running).toBe('cancelled')
    for (const frame of [first, second]) {
      await hearsOf(frame, 'cancelled')
      expect(await heard(frame)).toEqual(['queued', 'running', 'cancelled'].map((event) => [jobId, event]))
    }
    // Each of the strangers hears of its own job, and so would have heard of this one.
    for (const frame of strangers) {
      expect(await frame.evaluate(`run({ method: 'tell', args: { steps: 1 } })`)).toEqual({ told: 1 })
      await hearsOf(frame, 'succeeded')
      const own = (await heard(frame))[0]?.[0]
      expect(own).not.toBe(jobId)
      expect(await heard(frame)).toEqual(
        ['queued', 'running', 'progress', 'succeeded'].map((event) => [own, event]),
      )
    }
    expect(await heard(first)).toHaveLength(3)
    await bob.context.close()
  },
)
