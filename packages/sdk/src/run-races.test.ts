import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import type { Frame } from '@svc/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { refusal, settled } from './testing/call.ts'
import { endOf, readAll, runIdOf, sessionBed, text } from './testing/session.ts'

/** One thing that happens: what it is, and a number for it. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(0, 100, 300, 2_000, 61_000)) },
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('tell', 'lose', 'swap', 'repeat', 'flood'), fc.nat(40)) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      fc.constantFrom('reset', 'hold', 'release', 'away', 'back', 'early', 'late', 'foreign', 'resume'),
      fc.nat(20),
    ),
  },
  { weight: 1, arbitrary: fc.constant(['cancel', 0] as ['cancel', number]) },
)

verifies(
  ['sdk.stream.reorder', 'sdk.stream.done', 'design.stream.gap'],
  'reads what the journal holds, each frame once and in order, whatever is lost, late or twice',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, slowStart) => {
        const bed = sessionBed()
        const session = await bed.sessions.session({ submode: 'auto' })
        if (slowStart) bed.holding = 'session.run'
        const asked = session.run('hello')
        await settled()
        const steady = bed.answer
        const readers: Promise<{ afterSeq: number; frames: unknown[] }>[] = []
        const read = async (afterSeq: number, run = session.attach(runIdOf(1), { afterSeq })) => ({
          afterSeq,
          frames: await run.then(
            (one) => readAll(one.frames()),
            () => ['refused'],
          ),
        })
        readers.push(read(0, asked))
        let count = 0
        const isOver = () => bed.journal(1).at(-1)?.event === 'end'
        const word = (): Frame[] => (isOver() ? [] : [text(`${++count} `)])

        const happen: Record<string, (n: number) => unknown> = {
          pass: (ms) => bed.pass(ms),
          tell: () => bed.tell(1, ...word()),
          lose: () => bed.write(1, ...word()),
          swap() {
            if (isOver()) return
            const last = bed.write(1, ...word(), ...word())
            bed.send(1, last)
            bed.send(1, last - 1)
          },
          repeat(n) {
            if (bed.journal(1).length > 0) bed.send(1, 1 + (n % bed.journal(1).length))
          },
          flood(n) {
            for (let at = 0; at < n * 5; at++) bed.tell(1, ...word())
          },
          reset: () => bed.hub.emit('reset'),
          hold() {
            bed.holding = 'session.attach'
          },
          release: () => bed.release(),
          away() {
            bed.answer = (method, args) =>
              method === 'session.attach'
                ? refusal('host_unreachable', { retriable: true })
                : steady(method, args)
          },
          back() {
            bed.answer = steady
          },
          early() {
            bed.replays = 'before'
          },
          late() {
            bed.replays = 'after'
          },
          foreign: (n) => bed.hub.emit('rpc.stream', { stream_id: `strm_other${n}`, seq: n, payload: {} }),
          resume: (n) => readers.push(read(Math.min(n, bed.journal(1).length))),
          cancel: () => session.cancel(runIdOf(1)),
        }
        for (const [what, n] of steps) await happen[what]?.(n)

        bed.answer = steady
        await bed.release()
        if (!isOver()) bed.write(1, endOf(1))
        await bed.pass(80_000)

        const run = await asked
        const journal = bed.journal(1)
        for (const { afterSeq, frames } of await Promise.all(readers)) {
          const last = frames.at(-1)
          // A replay can be refused before it begins, and too many frames can wait for a lost one; nothing else.
          if (last === 'refused') continue
          const gap = (last as { code?: string } | undefined)?.code === 'stream_gap'
          const wanted = journal.slice(afterSeq)
          expect(gap ? frames.slice(0, -1) : frames).toEqual(
            gap ? wanted.slice(0, frames.length - 1) : wanted,
          )
          if (gap) expect(count).toBeGreaterThan(256)
        }
        expect((await readAll(run.text())).filter((one) => typeof one === 'string').join('')).toBe(
          (await run.final().catch(({ details }) => details)).text,
        )
        expect(bed.left()).toBe(1)
      }),
      { numRuns: rounds(300) },
    )
  },
)
