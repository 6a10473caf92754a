import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { sayingModel } from '../../testing/run-model.ts'
import { openRunRoom, settled } from '../../testing/runs.ts'

verifies(
  'design.stream.attach',
  'attach answers where the frames are, and has the calling window follow',
  async () => {
    const room = openRunRoom()
    const session = await room.session()
    const started = await room.start(session)
    const owner = { userId: 'ada', appId: 'app_1', sessionUuid: session }
    await settled(6)
    expect(await room.runs.attach(owner, started.run_id, 1, 'win_2')).toEqual({
      ...started,
      last_seq: 3,
      done: false,
    })
    expect(await room.runs.attach(owner, started.run_id, 99, 'win_2')).toMatchObject({ last_seq: 3 })
    room.model.open()[0]?.finish()
    await room.ended(started.stream_id)
    await settled(2)
    expect(await room.runs.attach(owner, started.run_id, 0, 'win_3')).toEqual({
      ...started,
      last_seq: 5,
      done: true,
    })
    expect(room.followed.slice(1)).toEqual([
      `win_2 ${started.stream_id} 1`,
      `win_2 ${started.stream_id} 3`,
      `win_3 ${started.stream_id} 0`,
    ])
    for (const other of [
      { userId: 'bob' },
      { appId: 'app_2' },
      { sessionUuid: 'aps_2' },
      { sessionUuid: null },
    ])
      await expect(room.runs.attach({ ...owner, ...other }, started.run_id, 0, 'w')).rejects.toMatchObject({
        code: 'not_found',
      })
    await room.close()
  },
)

verifies(
  'design.stream.numbered',
  'frames are read from any place, and end with the one that is done',
  async () => {
    const room = openRunRoom({ model: sayingModel('a', 'b') })
    const { stream_id } = await room.start(await room.session())
    await room.ended(stream_id)
    const read = async (after: number) => {
      const got: (number | boolean)[] = []
      for await (const { seq, done } of room.runs.frames(stream_id, after)) got.push(seq, done)
      return got
    }
    expect(await read(5)).toEqual([6, false, 7, true])
    expect((await read(0)).filter((one) => typeof one === 'number')).toEqual([1, 2, 3, 4, 5, 6, 7])
    await room.close()
  },
)

verifies(
  'design.stream.kept',
  'frames end with their reader, and where there are none that is said instead of waited for',
  async () => {
    const room = openRunRoom()
    const session = await room.session()
    const { stream_id, run_id } = await room.start(session)
    const over = new AbortController()
    const all = async (streamId: string) => {
      for await (const _ of room.runs.frames(streamId, 0, over.signal));
      return 'over'
    }
    const cut = all(stream_id)
    await settled(6)
    over.abort()
    expect(await cut).toBe('over')
    await expect(all('strm_unknown')).rejects.toThrow('no such run')
    await room.cancel(session, run_id)
    await room.ended(stream_id)
    await room.clock.advance(limits.STREAM_RETAIN_MS)
    await room.runs.forget()
    await expect(all(stream_id)).rejects.toThrow('no such run')
    await room.close()
  },
)
