import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { messages } from './messages.ts'
import { sayingModel } from './model-for-tests.ts'
import { runs as runRows } from './run-row.ts'
import { openRunRoom, settled } from './runs-for-tests.ts'

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e'

verifies(
  'design.stream.kept',
  'frames stay for five minutes after end, a run and its run_id for a day',
  async () => {
    const room = openRunRoom({
      model: sayingModel('ok'),
      limits: { AGENT_IDLE_TTL_MS: limits.RUN_KEPT_MS * 3, AGENT_MAX_LIFETIME_MS: limits.RUN_KEPT_MS * 3 },
    })
    const session = await room.session()
    const first = await room.start(session, { run_id: ID })
    const frames = await room.ended(first.stream_id)
    await settled(2)
    await room.clock.advance(limits.STREAM_RETAIN_MS - 1)
    await room.runs.forget()
    expect(await room.frames(first.stream_id)).toEqual(frames)
    await room.clock.advance(1)
    await room.runs.forget()
    expect(await room.frames(first.stream_id)).toEqual([])
    const owner = { userId: 'ada', appId: 'app_1', sessionUuid: session }
    await expect(room.runs.attach(owner, ID, 0, 'win_1')).rejects.toMatchObject({ code: 'not_found' })
    expect(await room.start(session, { run_id: ID })).toEqual(first)
    await room.clock.advance(limits.RUN_KEPT_MS - limits.STREAM_RETAIN_MS)
    await room.runs.forget()
    expect(await room.row(session, ID)).toBeNull()
    expect(await room.start(session, { run_id: ID })).not.toEqual(first)
    await room.close()
  },
)

verifies(
  'session.purge',
  'a session that is forgotten takes its runs, frames and messages along',
  async () => {
    const room = openRunRoom({ model: sayingModel('ok') })
    const [gone, kept] = [await room.session(), await room.session()]
    const started = await room.start(gone)
    for (const { stream_id } of [started, await room.start(kept)]) await room.ended(stream_id)
    await settled(2)
    await room.runs.forgetSession(gone)
    expect(await room.frames(started.stream_id)).toEqual([])
    const left = async (session: string) => [
      (await room.store.scan(runRows, 'bySession', { eq: [session], limit: 9 })).rows.length,
      (await room.store.scan(messages, 'bySession', { eq: [session], limit: 9 })).rows.length,
    ]
    expect([await left(gone), await left(kept)]).toEqual([
      [0, 0],
      [1, 2],
    ])
    await room.close()
  },
)

verifies('design.stream.kept', 'a reader of frames that are gone is told so, and does not wait', async () => {
  const room = openRunRoom()
  const session = await room.session()
  const { stream_id } = await room.start(session)
  await settled(4)
  const reading = (async () => {
    for await (const _ of room.runs.frames(stream_id, 0));
  })()
  await settled()
  await room.runs.forgetSession(session)
  await expect(reading).rejects.toMatchObject({ code: 'not_found' })
  await room.close()
})
