import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { runs as runRows } from '../../catalog/run-row.ts'
import { sayingModel } from '../../testing/run-model.ts'
import { openRunBed, settled } from '../../testing/runs.ts'
import { messages } from './messages.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

verifies(
  'design.stream.kept',
  'frames stay for five minutes after end, a run and its run_id for a day',
  async () => {
    const bed = openRunBed({
      model: sayingModel('ok'),
      limits: {
        AGENT_IDLE_TTL_MS: limits.RUN_KEPT_MS * 3,
        AGENT_MAX_LIFETIME_MS: limits.RUN_KEPT_MS * 3,
        HOST_BEAT_MS: limits.RUN_KEPT_MS,
      },
    })
    const session = await bed.session()
    const first = await bed.start(session, { run_id: ID })
    const frames = await bed.ended(first.stream_id)
    await settled(2)
    await bed.clock.advance(limits.STREAM_RETAIN_MS - 1)
    await bed.runs.forget()
    expect(await bed.frames(first.stream_id)).toEqual(frames)
    await bed.clock.advance(1)
    await bed.runs.forget()
    expect(await bed.frames(first.stream_id)).toEqual([])
    const owner = { userId: 'ada', appId: 'app_1', sessionUuid: session }
    await expect(bed.runs.attach(owner, ID, 0, 'win_1')).rejects.toMatchObject({ code: 'not_found' })
    expect(await bed.start(session, { run_id: ID })).toEqual(first)
    await bed.clock.advance(limits.RUN_KEPT_MS - limits.STREAM_RETAIN_MS)
    await bed.runs.forget()
    expect(await bed.row(session, ID)).toBeNull()
    expect(await bed.start(session, { run_id: ID })).not.toEqual(first)
    await bed.close()
  },
)

verifies(
  'session.purge',
  'a session that is forgotten takes its runs, frames and messages along',
  async () => {
    const bed = openRunBed({ model: sayingModel('ok') })
    const [gone, kept] = [await bed.session(), await bed.session()]
    const started = await bed.start(gone)
    for (const { stream_id } of [started, await bed.start(kept)]) await bed.ended(stream_id)
    await settled(2)
    await bed.runs.forgetSession(gone)
    expect(await bed.frames(started.stream_id)).toEqual([])
    const left = async (session: string) => [
      (await bed.store.scan(runRows, 'bySession', { eq: [session], limit: 9 })).rows.length,
      (await bed.store.scan(messages, 'bySession', { eq: [session], limit: 9 })).rows.length,
    ]
    expect([await left(gone), await left(kept)]).toEqual([
      [0, 0],
      [1, 2],
    ])
    await bed.close()
  },
)

verifies('design.stream.kept', 'a reader of frames that are gone is told so, and does not wait', async () => {
  const bed = openRunBed()
  const session = await bed.session()
  const { stream_id } = await bed.start(session)
  await settled(4)
  const reading = (async () => {
    for await (const _ of bed.runs.frames(stream_id, 0));
  })()
  await settled()
  await bed.runs.forgetSession(session)
  await expect(reading).rejects.toMatchObject({ code: 'not_found' })
  await bed.close()
})

verifies(
  'wall.runs.kept',
  'no app fills the store with runs: past so many the oldest goes, with its frames',
  async () => {
    const bed = openRunBed({ limits: { RUNS_KEPT_PER_APP: 3, RUNS_KEPT_PER_USER: 4 } })
    const session = await bed.session()
    const streams: string[] = []
    const cancelOne = async (app: string, own: string) => {
      const caller = { appId: app, install: { ...bed.caller.install, app_id: app } }
      const { run_id, stream_id } = await bed.start(own, {}, caller)
      expect(await bed.runs.cancel({ userId: 'ada', appId: app, sessionUuid: own }, run_id)).toBe(true)
      await bed.ended(stream_id)
      await settled(2)
      await bed.clock.advance(1)
      streams.push(stream_id)
    }
    for (let at = 0; at < 5; at += 1) await cancelOne('app_1', session)
    const left = async () => Promise.all(streams.map(async (stream) => (await bed.frames(stream)).length > 0))
    expect(await left()).toEqual([false, false, true, true, true])
    expect(await bed.used()).toMatchObject({ runs: 0, tokens: 0 })
    const other = await bed.session({ app_id: 'app_2' })
    for (let at = 0; at < 2; at += 1) await cancelOne('app_2', other)
    expect(await left()).toEqual([false, false, false, true, true, true, true])
    expect((await bed.store.scan(runRows, 'closedByUser', { limit: 9 })).rows).toHaveLength(4)
    await bed.close()
  },
)
