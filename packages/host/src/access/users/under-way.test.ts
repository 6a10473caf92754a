import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { memoryBus } from '@svc/state'
import { pino } from 'pino'
import { expect } from 'vitest'
import { openUnderWay } from './under-way.ts'
import type { OpenUsers, UserEnd } from './users.ts'

const open = (onEnd: OpenUsers['onEnd'] = () => {}, bus = memoryBus({ clock: frozenClock() })) =>
  openUnderWay({ bus, log: pino({ level: 'silent' }), users: { onEnd } })

verifies(
  'user.block.meanwhile',
  'the calls under way of a user end with his access, those of others do not',
  () => {
    let end: (end: UserEnd) => void = () => {}
    const { enter } = open((listener) => {
      end = listener
    })
    const there = () => new AbortController().signal
    const [waits, asksLate, bobs] = [
      enter({ userId: 'ada' }, there),
      enter({ userId: 'ada' }, there),
      enter({ userId: 'bob' }, there),
    ] as const
    const [signal, other] = [waits.gone(), bobs.gone()]
    end({ user_id: 'ada', how: 'blocked' })
    expect([signal.aborted, asksLate.gone().aborted, other.aborted]).toEqual([true, true, false])
    for (const call of [waits, asksLate]) call.leave()
    expect(enter({ userId: 'ada' }, there).gone().aborted).toBe(false)
  },
)

verifies(
  'window.close.calls',
  'the calls of a window end with it, those of the next one do not',
  async () => {
    const { enter, cut, over } = open()
    const there = () => new AbortController().signal
    const whose = (windowUuid: string) => ({ userId: 'ada', appId: 'app', windowUuid })
    const [one, other] = [enter(whose('one'), there), enter(whose('other'), there)] as const
    cut({ userId: 'ada', windowUuid: 'one' })
    expect([one.gone().aborted, other.gone().aborted]).toEqual([true, false])
    expect(over({ userId: 'ada', appId: 'another' })).toBeNull()
    const ended = over({ userId: 'ada', appId: 'app' })
    for (const call of [one, other]) call.leave()
    await ended
    expect(over({ userId: 'ada' })).toBeNull()
  },
)
