import { describe, expect, it } from 'vitest'
import { type Hold, note, notes } from './hold.ts'
import type { Load } from './load.ts'

const WRITERS = 8
const PAGE = 100
/** How many keys are written at once, and how many others while a page is read. */
const AT_ONCE = 100
const BETWEEN = 4

/** Many at once: no update is lost, and a walk over many pages holds its place. */
export function crowdRules(
  hold: Hold,
  { writes: WRITES = 2_000, keys: KEYS = 100_000, boundMs: BOUND_MS = 120_000 }: Load,
): void {
  describe('crowds', () => {
    it(
      `of ${WRITERS} writers with ${WRITES} swaps each no update is lost: each that succeeded follows one other`,
      async () => {
        const first = await hold.add('counter', note({ body: 0 }))
        /** Which revision each that succeeded was made on, and what it counted. */
        const history = new Map<number, { readonly to: number; readonly count: number }>()
        let refused = 0
        async function writer() {
          let { revision, count } = { revision: first.revision, count: 0 }
          for (let n = 0; n < WRITES; n++) {
            const written = await hold.store.swap(notes, 'counter', revision, note({ body: count + 1 }))
            if (written.ok) {
              expect(history.has(revision)).toBe(false)
              history.set(revision, { to: written.record.revision, count: count + 1 })
              revision = written.record.revision
              count += 1
            } else {
              refused += 1
              const now = await hold.store.get(notes, 'counter')
              revision = now?.revision ?? 0
              count = now?.row.body as number
            }
          }
        }
        await Promise.all(Array.from({ length: WRITERS }, writer))
        expect(history.size + refused).toBe(WRITERS * WRITES)
        expect(Math.min(history.size, refused)).toBeGreaterThan(0)
        let at = first.revision
        for (let count = 1; count <= history.size; count++) {
          const next = history.get(at)
          expect(next?.count).toBe(count)
          at = next?.to ?? 0
        }
        expect(await hold.store.get(notes, 'counter')).toMatchObject({
          revision: at,
          row: { body: history.size },
        })
      },
      BOUND_MS,
    )

    it(
      `a walk over ${KEYS} keys by ${PAGE} gives each that stood throughout once and in order, while others write`,
      async () => {
        const title = (n: number) => `k${String(n).padStart(6, '0')}`
        const standing = Array.from({ length: KEYS }, (_, n) => title(n * 3))
        for (let n = 0; n < KEYS; n += AT_ONCE)
          await Promise.all(standing.slice(n, n + AT_ONCE).map((one) => hold.add(one, note({ title: one }))))
        let drawn = 1
        /** Somewhere among the keys, the same each time that the rule is run. */
        const draw = () => {
          drawn = (drawn * 48_271) % 2_147_483_647
          return drawn % KEYS
        }
        /** Adds a key that is not in the list yet or takes it away, and writes one of these again. */
        async function disturb() {
          const passing = title(draw() * 3 + 1)
          const there = await hold.store.get(notes, passing)
          if (there) await hold.store.remove(notes, passing, there.revision)
          else await hold.store.insert(notes, passing, note({ title: passing }))
          const id = standing[draw()] ?? ''
          const kept = await hold.store.get(notes, id)
          if (kept) await hold.store.swap(notes, id, kept.revision, note({ title: id, due_at: drawn }))
        }
        let under: Promise<unknown> = Promise.resolve()
        const seen = await hold.walk({ eq: ['ann'], limit: PAGE }, async () => {
          await under
          under = Promise.all(Array.from({ length: BETWEEN }, disturb))
        })
        await under
        expect(seen.every((one, at) => at === 0 || (seen[at - 1] ?? '') < one)).toBe(true)
        const isStanding = new Set(standing)
        expect(seen.length).toBeGreaterThan(KEYS)
        expect(seen.filter((one) => isStanding.has(one))).toEqual(standing)
      },
      BOUND_MS,
    )
  })
}
