import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import { type Bus, memoryBus } from '@svc/state'
import fc from 'fast-check'
import { expect } from 'vitest'
import { openJournalWriter } from './journal-writer.ts'

type Fault = 'none' | 'fail' | 'deafen'

/** A writer over a journal whose next appends fail, or lose their answers. */
function open() {
  const { journal } = memoryBus({ clock: frozenClock() })
  let fault: Fault = 'none'
  const append: Bus['journal']['append'] = async (...args) => {
    if (fault === 'fail') throw new Error('the bus is away')
    const written = await journal.append(...args)
    if (fault === 'deafen') throw new Error('the answer was lost')
    return written
  }
  const read = async () => (await journal.read('j', 0)).items.map(({ item }) => item)
  return {
    writer: openJournalWriter({ append, read: journal.read }, 'j'),
    journal,
    read,
    next: (wanted: Fault) => {
      fault = wanted
    },
  }
}

verifies(
  'design.stream.away',
  'whatever fails or loses its answer, each item stands once, in its place',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom<Fault>('none', 'fail', 'deafen'), fc.nat(3)), { maxLength: 12 }),
        // Items that are equal are told apart by their places alone.
        fc.boolean(),
        async (puts, alike) => {
          const { writer, read, next } = open()
          const all: string[] = []
          for (const [fault, count] of puts) {
            const items = Array.from({ length: count }, (_, at) => (alike ? 'same' : `${all.length + at}`))
            all.push(...items)
            next(fault)
            await writer.put(items).catch(() => {})
            expect([writer.written(), writer.written() + writer.unanswered()]).toEqual([
              writer.tail(),
              all.length,
            ])
          }
          next('none')
          expect(await writer.put([])).toBe(true)
          expect([await read(), writer.tail(), writer.unanswered()]).toEqual([all, all.length, 0])
        },
      ),
    ),
)

verifies.each('decision.host_crash.run_fenced')([
  [false, ['1', 'of another'], false],
  [true, ['1', 'of another', '2'], true],
])('behind somebody else is written where that is allowed: %j', async (mayFollow, expected, stands) => {
  const { writer, journal, read } = open()
  await writer.put(['1'])
  await journal.append('j', 2, ['of another'])
  expect(await writer.put(['2'], async () => mayFollow)).toBe(stands)
  expect([await read(), writer.unanswered()]).toEqual([expected, 0])
  expect(writer.written()).toBe(stands ? 2 : 1)
})

verifies('decision.host_crash.run_fenced', 'what another wrote is not taken for its own', async () => {
  const { writer, journal, next } = open()
  next('fail')
  await expect(writer.put(['1'])).rejects.toThrow('the bus is away')
  await journal.append('j', 1, ['of another'])
  next('none')
  expect(await writer.put(['2'])).toBe(false)
  expect(writer.tail()).toBe(0)
})
