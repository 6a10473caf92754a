import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { sayingModel } from '../../testing/run-model.ts'
import { openRunBed, settled } from '../../testing/runs.ts'

verifies(
  'design.stream.attach',
  'attach answers where the frames are, and has the calling window follow',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const started = await bed.start(session)
    const owner = { userId: 'ada', appId: 'app_1', sessionUuid: session }
    await settled(6)
    expect(await bed.runs.attach(owner, started.run_id, 1, 'win_2')).toEqual({
      ...started,
      last_seq: 3,
      done: false,
    })
    expect(await bed.runs.attach(owner, started.run_id, 99, 'win_2')).toMatchObject({ last_seq: 3 })
    bed.model.open()[0]?.finish()
    await bed.ended(started.stream_id)
    await settled(2)
    expect(await bed.runs.attach(owner, started.run_id, 0, 'win_3')).toEqual({
      ...started,
      last_seq: 5,
      done: true,
    })
    expect(bed.followed.slice(1)).toEqual([
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
      await expect(bed.runs.attach({ ...owner, ...other }, started.run_id, 0, 'w')).rejects.toMatchObject({
        code: 'not_found',
      })
    await bed.close()
  },
)

verifies(
  'design.stream.numbered',
  'frames are read from any place, and end with the one that is done',
  async () => {
    const bed = openRunBed({ model: sayingModel('a', 'b') })
    const { stream_id } = await bed.start(await bed.session())
    await bed.ended(stream_id)
    const read = async (after: number) => {
      const got: (number | boolean)[] = []
      for await (const { seq, done } of bed.runs.frames(stream_id, after)) got.push(seq, done)
      return got
    }
    expect(await read(5)).toEqual([6, false, 7, true])
    expect((await read(0)).filter((one) => typeof one === 'number')).toEqual([1, 2, 3, 4, 5, 6, 7])
    await bed.close()
  },
)

verifies(
  'design.stream.kept',
  'frames end with their reader, and where there are none that is said instead of waited for',
  async () => {
    const bed = openRunBed()
    const session = await bed.session()
    const { stream_id, run_id } = await bed.start(session)
    const over = new AbortController()
    const all = async (streamId: string) => {
      for await (const _ of bed.runs.frames(streamId, 0, over.signal));
      return 'over'
    }
    const cut = all(stream_id)
    await settled(6)
    over.abort()
    expect(await cut).toBe('over')
    await expect(all('strm_unknown')).rejects.toThrow('no such run')
    await bed.cancel(session, run_id)
    await bed.ended(stream_id)
    await bed.clock.advance(limits.STREAM_RETAIN_MS)
    await bed.runs.forget()
    await expect(all(stream_id)).rejects.toThrow('no such run')
    await bed.close()
  },
)
