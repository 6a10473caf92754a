import { limits, refuse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { expect, it } from 'vitest'
import type { RunFrame } from '../../../work/runs/runs.ts'
import type { Services } from '../../services.ts'
import { runStream } from './run-stream.ts'

const STARTED = { stream_id: 'strm_1', run_id: 'r' }

it('a stream whose frames go while it is read breaks, and is over', async () => {
  const clock = frozenClock()
  async function* frames(): AsyncGenerator<RunFrame> {
    yield { seq: 1, payload: '{"event":"queued"}', done: false }
    throw refuse('not_found', 'there is no such run, or its frames are gone')
  }
  const services = { clock, limits, runs: { frames } } as unknown as Services // a stream asks for its frames, and nothing else
  let overs = 0
  const onOver = () => {
    overs += 1
  }
  const leaving = new AbortController().signal
  const response = await runStream(services, STARTED, { after: 0, leaving, cut: () => {}, onOver })
  await expect(response.text()).rejects.toThrow('frames are gone')
  expect([overs, clock.timers]).toEqual([1, 0])
})
