import { rounds } from '@svc/conformance/rounds'
import { frozenClock } from '@svc/conformance/testing/frozen-clock'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Carry } from './carry.ts'
import { createForward } from './forward.ts'
import { createLanes } from './lanes.ts'
import { createPost } from './post.ts'
import type { Call } from './texts.ts'

/** What becomes of a body: taken, refused as a whole on its token, lost before the host or behind it. */
type Fate = 'taken' | 'refused' | 'lost' | 'unheard'

const fates = fc.infiniteStream(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>('taken') },
    { weight: 3, arbitrary: fc.constantFrom<Fate>('refused', 'lost', 'unheard') },
  ),
)
/** Calls of one message each: so many, of that many characters. */
const messages = fc.array(fc.array(fc.constantFrom(10, 20_000, 40_000), { minLength: 1, maxLength: 40 }), {
  minLength: 1,
  maxLength: 6,
})

/** A host that takes a body some time after it was sent, and whose answers take some time too. */
function host(s: fc.Scheduler, fate: () => Fate) {
  const effects: number[] = []
  let underWay = 0
  let most = 0
  const carry: Carry = async ({ body, count, onLine }) => {
    most = Math.max(most, ++underWay)
    try {
      await s.schedule(Promise.resolve(), 'arrives')
      const fated = fate()
      if (fated === 'refused') return { status: 401, text: '' }
      if (fated === 'lost') throw new TypeError('lost')
      const calls: { id: string }[] = [JSON.parse(body)].flat()
      for (const { id } of calls) {
        await s.schedule(Promise.resolve(), 'served')
        effects.push(Number(id))
        if (count > 1 && fated === 'taken') onLine(`{"id":"${id}","ok":true,"result":{}}`)
      }
      if (fated === 'unheard') throw new TypeError('unheard')
      return { status: 200, text: count > 1 ? '' : `{"id":"${calls[0]?.id}","ok":true,"result":{}}` }
    } finally {
      underWay -= 1
    }
  }
  return { effects, carry, mostUnderWay: () => most }
}

verifies(
  ['wall.in_flight.order', 'order.effects'],
  'the host sees quick calls in their order, each once at most, whatever way their bodies take and which are refused, renewed or lost',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        messages,
        fates,
        fc.array(fc.boolean()),
        async (s, lists, fate, open) => {
          const { effects, carry, mostUnderWay } = host(s, () => fate.next().value)
          const ways = open[Symbol.iterator]()
          const renew = () => s.schedule(Promise.resolve('renewed'), 'renewal')
          const post = createPost({
            windowUuid: 'w',
            clock: frozenClock(),
            carry,
            token: { current: () => 'held', next: renew, renew, stop: () => undefined },
          })
          const forward = createForward(
            createLanes(() => ways.next().value === true),
            post,
            frozenClock(),
          )
          const answered: string[] = []
          let count = 0
          const take = async (list: number[]) => {
            await s.schedule(Promise.resolve(), 'called')
            forward.take(
              list.map((length): Call => {
                const id = `${++count}`
                const args = `{"v":"${'x'.repeat(length)}"}`
                return { id, ns: 'storage', method: 'set', args, answer: () => answered.push(id) }
              }),
            )
          }
          const called = lists.reduce((before, list) => before.then(() => take(list)), Promise.resolve())
          await s.waitFor(called)
          await s.waitIdle()
          expect(answered.length).toBe(count)
          // An error thrown where a body is carried is a body lost, so that this is said here.
          expect(mostUnderWay()).toBe(1)
          expect(effects).toEqual([...new Set(effects)].sort((a, b) => a - b))
        },
      ),
      { numRuns: rounds(60) },
    ),
)
