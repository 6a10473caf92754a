import { setTimeout as after } from 'node:timers/promises'
import { rounds } from '@svc/conformance/rounds'
import { type CutEvents, cutEvents, type FrameEvent } from '@svc/conformance/testing/cut-events'
import { openTestHost, type TestHost, type TestWindow } from '@svc/conformance/testing/host'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { memoryBus } from '@svc/state'
import { afterEach, expect } from 'vitest'
import { frameJournal } from '../catalog/run-row.ts'
import { scriptedModel } from '../testing/run-model.ts'

const CUTS = rounds(1_000, 100)
const STREAMS = 20
const TOKEN_MS = 40
const MANY = 1_000_000
/** For how long a page that waits for frames is connected: the first time, and at most. */
const WAIT_MS = 200
const WAIT_MAX_MS = 30_000

const host_api = { agent: { session: { auto: true } } }

let services: TestHost
afterEach(() => services.close())

interface Started {
  readonly stream_id: string
  readonly run_id: string
}

/** A model that says up to 120 tokens, one each 40 ms, some of them several at once. */
function pacedModel(below: (n: number) => number) {
  return scriptedModel(async (talk) => {
    for (let left = 20 + below(100); left > 0; left -= 1) {
      await after(TOKEN_MS)
      talk.say(...Array.from({ length: 1 + below(3) }, (_, at) => ` token ${left}.${at} é`))
    }
    talk.finish()
  })
}

/** Connects a page until it has so many frames, each time for longer: a busy machine may send none in a short time. */
async function hearAll({ frames, connect }: CutEvents, count: number): Promise<void> {
  for (let ms = WAIT_MS; frames.length < count && ms < WAIT_MAX_MS; ms *= 2) await connect(MANY * 100, ms)
}

/** Runs one after the other in each of so many sessions, until they are told to end. */
function startRuns(windows: readonly TestWindow[], below: (n: number) => number) {
  const started = new Map<string, { window: TestWindow; session: string; run: Started }>()
  let ending = false

  async function ask<Result>(window: TestWindow, method: string, args: object): Promise<Result> {
    const answer = await window.call('agent', method, args)
    if (!answer.ok) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result as Result
  }
  async function lane(window: TestWindow) {
    const created = await ask<{ app_session_uuid: string }>(window, 'session.create', { submode: 'auto' })
    const { app_session_uuid } = created
    while (!ending) {
      const run = await ask<Started>(window, 'session.run', { app_session_uuid, content: 'Go on.' })
      started.set(run.stream_id, { window, session: app_session_uuid, run })
      let done = false
      while (!done) {
        await after(5 + below(20))
        const at = { app_session_uuid, run_id: run.run_id, after_seq: MANY }
        // After a seq that lies beyond the end nothing is sent again.
        done = (await ask<{ done: boolean }>(unseen, 'session.attach', at)).done
      }
    }
  }
  const [first, second, unseen] = windows as [TestWindow, TestWindow, TestWindow]
  const lanes = Array.from({ length: STREAMS }, (_, at) => lane([first, second][at % 2] ?? first))
  return {
    started,
    ask,
    end() {
      ending = true
      return Promise.all(lanes)
    },
  }
}

verifies(
  ['design.stream.resume', 'design.stream.closed_tab', 'event.rpc_stream', 'design.stream.attach'],
  `${CUTS} cuts of the stream, anywhere, under 20 runs at a time lose no frame, repeat none and end no run`,
  async () => {
    const random = seeded(11)
    const below = (n: number) => Math.floor(random() * n)
    const bus = memoryBus({ clock: systemClock })
    services = await openTestHost({
      bus,
      secret: 's'.repeat(32),
      models: { default: { model: pacedModel(below).model, vision: false } },
      quotas: { runs_per_day: MANY, completions_per_day: MANY, tokens_per_day: MANY * MANY },
      manifest: { host_api },
    })
    const { port } = await services.host.listen(0)
    const windows = [await services.openWindow(), await services.openWindow(), await services.openWindow()]
    const [a, b] = windows as [TestWindow, TestWindow]
    const query = `windows=${a.windowUuid},${b.windowUuid}`
    const page = cutEvents(port, a.cookie, query)
    const beside = cutEvents(port, a.cookie, query)
    await page.begin()
    await beside.begin()
    const runs = startRuns(windows, below)
    for (let cut = 1; cut <= CUTS; cut++) {
      await page.connect(below(40_000), 1 + below(20))
      // A busy machine says nothing in so short a time, and a page may not ask for any number of streams.
      if (page.open > 2 * STREAMS) await hearAll(page, page.frames.length + 1)
      if (cut % (CUTS / 10) === 0) await beside.connect(MANY * 100, WAIT_MS)
    }
    await runs.end()

    /** What is in the journals, by stream. */
    const written = new Map<string, FrameEvent[]>()
    for (const [stream_id, { window }] of runs.started) {
      const { items } = await bus.journal.read(frameJournal(stream_id), 0)
      written.set(
        stream_id,
        items.map(({ seq, item }) => ({
          ...({ type: 'rpc.stream', window_uuid: window.windowUuid, stream_id, seq } as const),
          payload: JSON.parse(item),
          done: seq === items.length,
        })),
      )
    }
    const count = [...written.values()].flat().length
    expect(written.size).toBeGreaterThan(STREAMS)
    for (const one of [page, beside]) await hearAll(one, count)
    // And nothing more.
    await page.connect(MANY, WAIT_MS)

    for (const { frames, strays, resets } of [page, beside]) {
      expect([strays, resets]).toEqual([[], 0])
      expect(Map.groupBy(frames, ({ stream_id }) => stream_id)).toEqual(written)
    }
    for (const frames of written.values()) {
      const [complete, end] = frames.slice(-2).map(({ payload }) => payload)
      expect(JSON.stringify(complete)).toContain('task_complete')
      expect(end?.event).toBe('end')
    }

    const [{ window, session, run }] = [...runs.started.values()] as [
      { window: TestWindow; session: string; run: Started },
    ]
    const other = window === a ? b : a
    const before = page.frames.length
    await runs.ask(other, 'session.attach', { app_session_uuid: session, run_id: run.run_id, after_seq: 3 })
    const [, , , ...rest] = written.get(run.stream_id) ?? []
    expect(rest.length).toBeGreaterThan(0)
    await hearAll(page, before + rest.length)
    // And nothing more.
    await page.connect(MANY, WAIT_MS)
    expect(page.frames.slice(before)).toEqual(
      rest.map((frame) => ({ ...frame, window_uuid: other.windowUuid })),
    )
  },
)
