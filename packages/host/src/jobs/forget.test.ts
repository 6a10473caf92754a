import { limits as table } from '@svc/contract'
import { expect, it } from 'vitest'
import { openJobRoom, settled } from './jobs-for-tests.ts'
import { progressJournal } from './journals.ts'
import { answered } from './runner-for-tests.ts'

it('a job is forgotten with its journals a week after its end, and not a moment before', async () => {
  const room = openJobRoom({ limits: { HOST_BEAT_MS: 2 ** 40 } })
  const me = { userId: 'ada', appId: 'app_1' }
  const id = await room.start({ timeoutMs: table.JOB_DEADLINE_MAX_MS })
  const active = await room.start({ timeoutMs: table.JOB_DEADLINE_MAX_MS })
  await settled()
  room.runner.of(id).tell(1)
  room.runner.of(id).end(answered({}))
  await settled()
  await room.clock.advance(table.JOB_KEPT_MS - 1)
  await room.jobs.forget()
  expect((await room.jobs.get(me, id, { after: 0, limit: 9 })).progress).toHaveLength(1)
  await room.clock.advance(1)
  await room.jobs.forget()
  await expect(room.row(id)).rejects.toThrow('there is no job')
  expect((await room.bus.journal.read(progressJournal(id), 0)).tail).toBe(0)
  expect((await room.row(active)).state).toBe('running')
  await room.close()
})
