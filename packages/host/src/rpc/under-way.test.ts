import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import type { UserEnd } from '../users/users.ts'
import { openCallsUnderWay } from './under-way.ts'

verifies(
  'user.block.meanwhile',
  'the calls under way of a user end with his access, those of others do not',
  () => {
    let end: (end: UserEnd) => void = () => {}
    const enter = openCallsUnderWay({
      onEnd(listener) {
        end = listener
      },
    })
    const there = () => new AbortController().signal
    const [waits, asksLate, bobs] = [enter('ada', there), enter('ada', there), enter('bob', there)]
    const [signal, other] = [waits.gone(), bobs.gone()]
    end({ user_id: 'ada', how: 'blocked' })
    expect([signal.aborted, asksLate.gone().aborted, other.aborted]).toEqual([true, true, false])
    for (const call of [waits, asksLate]) call.leave()
    expect(enter('ada', there).gone().aborted).toBe(false)
  },
)
