import { rounds } from '@svc/conformance/rounds'
import { seeded } from '@svc/conformance/testing/seeded'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventBed, type HeardFrame, page, settle, windowId } from '../testing/event-page.ts'
import { runOf } from '../testing/event-run.ts'

const [a, b] = [windowId(1), windowId(2)]
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
/** Many turns of the event loop, on a machine that has other work. */
const SLOW_MS = 60_000
const CUTS = rounds(1_000)
const small = { READER_BUFFER_MAX_BYTES: 1_500, EVENT_READ_MAX: 3, EVENT_GATHER_TURNS: 1 }

/** A test bed whose journals take some turns of the event loop to be read. */
const slowBed = (readTurns: number) =>
  eventBed(small, (bus) => ({
    ...bus,
    journal: {
      ...bus.journal,
      async read(...args) {
        const batch = await bus.journal.read(...args)
        await settle(readTurns)
        return batch
      },
    },
  }))

/** The seqs of each stream in each window, in the order in which they came. */
function bySeq(frames: readonly HeardFrame[]) {
  const found = new Map<string, number[]>()
  for (const { window_uuid, stream_id, seq } of frames) {
    const key = `${window_uuid} ${stream_id}`
    const seqs = found.get(key) ?? []
    seqs.push(seq)
    found.set(key, seqs)
  }
  return found
}

verifies.each('design.stream.resume')([
  { seed: 1, readTurns: 0 },
  { seed: 2, readTurns: 1 },
  { seed: 3, readTurns: 3 },
])(
  `${CUTS} cuts anywhere under 20 streams lose no frame and repeat none (seed $seed, reads that take $readTurns turns)`,
  async ({ seed, readTurns }) => {
    const random = seeded(seed)
    const below = (n: number) => Math.floor(random() * n)
    const bed = slowBed(readTurns)
    const { heard, connect } = page(bed, 'ann')
    const other = page(bed, 'ann')
    other.connect({ windows: [b, a] })
    const live: ReturnType<typeof runOf>[] = []
    const all = new Map<string, ReturnType<typeof runOf>>()
    const titles: string[] = []
    const open = () => connect({ windows: [a, b], reads: random() < 0.7 })
    let connection = open()
    await settle()

    async function move() {
      if (live.length < 20) {
        const window_uuid = [a, b][below(2)] ?? a
        const run = runOf(bed, { window_uuid })
        live.push(run)
        all.set(`${window_uuid} ${run.streamId}`, run)
        await run.accept()
      }
      const at = below(live.length)
      const run = live[at]
      if (random() < 0.05) {
        await run?.end()
        live.splice(at, 1)
      } else await run?.speak(...upTo(1 + below(4)).map((n) => `${n} é`))
      if (random() < 0.1) {
        titles.push(`t${titles.length}`)
        bed.title('ann', a, titles.at(-1) ?? '')
      }
    }
    for (let cuts = 0; cuts < CUTS; ) {
      for (let n = below(5); n > 0; n -= 1) await move()
      if (random() < 0.5) await settle(below(6))
      connection.take(below(1_500))
      if (random() < 0.02) await bed.clock.advance(16_000)
      if (random() < 0.5 || connection.state !== 'open') {
        connection.cut()
        cuts += 1
        await settle(below(2))
        connection = open()
      }
    }
    connection.cut()
    for (const run of live) await run.end()
    await settle()
    connect({ windows: [a, b] })
    const whole = new Map([...all].map(([key, run]) => [key, upTo(run.tail)]))
    const count = [...whole.values()].flat().length
    const isShort = () => heard.frames.length < count || other.heard.frames.length < count
    for (let left = 2_000; left > 0 && isShort(); left -= 1) await settle()
    // And nothing more.
    await settle()
    expect(whole.size).toBeGreaterThan(CUTS / 20)
    for (const { heard: told } of [{ heard }, other]) {
      expect(bySeq(told.frames)).toEqual(whole)
      expect([told.strays, told.resets, told.titles]).toEqual([[], 0, titles])
    }
  },
  SLOW_MS,
)

type Step =
  | { do: 'accept' | 'end' | 'cut' }
  | { do: 'speak'; run: number; count: number }
  | { do: 'replay'; run: number; after: number; window: string }
  | { do: 'settle' | 'take'; n: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('accept' as const, 'end' as const, 'cut' as const, 'cut' as const) }),
  fc.record({ do: fc.constant('speak' as const), run: fc.nat(5), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    do: fc.constant('replay' as const),
    run: fc.nat(5),
    after: fc.nat(10),
    window: fc.constantFrom(a, b),
  }),
  fc.record({ do: fc.constantFrom('settle' as const, 'take' as const), n: fc.nat(300) }),
)

it(
  'whatever is cut, replayed or slow: every frame follows the page’s place, and each stream comes to its end',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(2), async (steps, readTurns) => {
        const bed = slowBed(readTurns)
        const { heard, connect } = page(bed, 'ann')
        const live: ReturnType<typeof runOf>[] = []
        const all: ReturnType<typeof runOf>[] = []
        let reads = true
        let connection = connect({ windows: [a, b] })
        await settle()
        const accept = async () => {
          const run = runOf(bed)
          live.push(run)
          all.push(run)
          await run.accept()
        }
        const moves = {
          accept,
          end: async () => live.shift()?.end(),
          cut() {
            connection.cut()
            reads = !reads
            connection = connect({ windows: [a, b], reads })
          },
          speak: ({ run, count }: { run: number; count: number }) =>
            live[run % live.length]?.speak(...upTo(count).map(String)),
          replay({ run, after, window }: { run: number; after: number; window: string }) {
            const stream = all[run % all.length]?.streamId
            // Nobody asks for what follows a frame that did not come.
            const has = heard.frames.filter(
              (each) => each.stream_id === stream && each.window_uuid === window,
            )
            const last = Math.max(0, ...has.map(({ seq }) => seq))
            if (stream) bed.events.follow('ann', window, stream, Math.min(after, last))
          },
          settle: ({ n }: { n: number }) => settle(n % 6),
          take: ({ n }: { n: number }) => connection.take(n),
        }
        for (const each of steps) await moves[each.do](each as never)
        for (const run of live) await run.end()
        await settle()
        connection.cut()
        connect({ windows: [a, b] })
        await settle(600)
        expect([heard.strays, heard.resets]).toEqual([[], 0])
        for (const run of all) {
          const own = heard.frames.filter(
            ({ stream_id, window_uuid }) => stream_id === run.streamId && window_uuid === a,
          )
          expect(new Set(own.map(({ seq }) => seq))).toEqual(new Set(upTo(run.tail)))
          expect(own.at(-1)?.done).toBe(true)
        }
      }),
      { numRuns: rounds(150) },
    )
  },
  SLOW_MS,
)
