import { afterEach, expect } from 'vitest'
import { rounds } from './rounds.ts'
import { cutEvents } from './testing/cut-events.ts'
import { openTrafficHost, storyOf, type ToolJob } from './testing/job-traffic.ts'
import { seeded } from './testing/seeded.ts'
import { verifies } from './verifies.ts'

const CUTS = rounds(1_000, 100)
/** A job is read in between after so many cuts. */
const LOOK_EVERY = 20
let testHost: Awaited<ReturnType<typeof openTrafficHost>>
afterEach(() => testHost.close())

verifies(
  [
    'design.events.resume',
    'design.events.jobs',
    'event.tool_job',
    'event.tool_job.loss',
    'decision.tool_job.last',
    'decision.tool_job.windows',
    'decision.job.winner_tells',
    'decision.progress.numbers',
  ],
  `${CUTS} cuts of the stream, anywhere, lose no event of jobs that run in real processes, and repeat none`,
  async () => {
    const random = seeded(7)
    const below = (n: number) => Math.floor(random() * n)
    testHost = await openTrafficHost()
    const { port } = await testHost.host.listen(0)
    const { cookie, windowUuid } = testHost.window
    const [second, unread] = [await testHost.openWindow(), await testHost.openWindow()]
    const page = cutEvents(port, cookie, `windows=${windowUuid},${second.windowUuid}&jobs=1`)
    await page.begin()

    const traffic = testHost.startTraffic()
    const events = () => page.heard.map((text) => JSON.parse(text) as ToolJob)
    for (let cut = 1; cut <= CUTS; cut++) {
      await page.connect(below(3_000), 1 + below(15))
      if (cut % LOOK_EVERY > 0) continue
      // Who hears nothing more learns the rest from the job: no hole between the two, and nothing twice.
      const known = events().at(-1)
      if (!known) continue
      const { state, lastSeq, progress } = await traffic.read(known.job_id, known.seq)
      const rest = Array.from({ length: lastSeq - known.seq }, (_, at) => known.seq + 1 + at)
      expect(progress.map(({ seq }) => seq)).toEqual(rest)
      if (known.terminal) expect([state, lastSeq]).toEqual([known.state, known.seq])
    }
    await traffic.end()

    const wanted = traffic.written.filter((text) => !text.includes(unread.windowUuid))
    expect(wanted.length).toBeLessThan(traffic.written.length)
    for (let left = 50; left > 0 && page.heard.length < wanted.length; left--) await page.connect(60_000, 200)
    // And nothing more.
    await page.connect(60_000, 200)
    expect(page.heard).toEqual(wanted)
    expect(page.resets).toBe(0)

    const all = events()
    const states = new Set<string>()
    for (const jobId of traffic.jobIds) {
      const snapshot = await traffic.read(jobId)
      states.add(snapshot.state)
      expect(snapshot.progress.map(({ seq }) => seq)).toEqual(
        Array.from({ length: snapshot.lastSeq }, (_, at) => at + 1),
      )
      for (const place of [windowUuid, second.windowUuid, null]) {
        const told = all.filter(({ job_id, window_uuid }) => job_id === jobId && window_uuid === place)
        expect(told.map(({ event, seq }) => `${event}:${seq}`)).toEqual(storyOf(snapshot))
        expect(told.map(({ terminal }) => terminal)).toEqual(told.map((_, at) => at === told.length - 1))
      }
    }
    expect(states).toEqual(new Set(['succeeded', 'failed', 'cancelled', 'expired']))
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    await expect.poll(metrics).toMatch(/^svc_event_readers 0$/m)
  },
)
