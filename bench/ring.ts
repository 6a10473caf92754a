import { createRing } from '../packages/sdk/src/ring.ts'
import { type Contender, compare } from './lib/pairs.ts'

const SLOTS = 256
const FRAMES = 200_000
/** How far a frame is from its place, at most. */
const APART = 16

interface Item {
  readonly seq: number
  readonly done: boolean
}

/** The least that puts frames in order: no count, no end, no frame that is twice or too far. */
function bareRing(deliver: (item: Item) => void): (item: Item) => void {
  const slots = new Array<Item | undefined>(SLOTS).fill(undefined)
  let due = 1
  return (item) => {
    slots[item.seq % SLOTS] = item
    for (let next = slots[due % SLOTS]; next; next = slots[due % SLOTS]) {
      slots[due % SLOTS] = undefined
      due += 1
      deliver(next)
    }
  }
}

const frames = Array.from({ length: FRAMES }, (_, at): Item => ({ seq: at + 1, done: at === FRAMES - 1 }))

/** The same frames, each lot of 16 backwards: all but one of a lot wait. */
const backwards = frames.map(
  (_, at) => frames[at - (at % APART) + APART - 1 - (at % APART)] ?? (frames[at] as Item),
)

/** Puts all frames into a ring and answers ns a frame. */
async function run(make: (deliver: (item: Item) => void) => (item: Item) => void, order: readonly Item[]) {
  let sum = 0
  const put = make(({ seq }) => {
    sum += seq
  })
  const from = performance.now()
  for (const item of order) put(item)
  const took = performance.now() - from
  if (sum !== (FRAMES * (FRAMES + 1)) / 2) throw new Error(`the ring delivered a sum of ${sum}`)
  return (took * 1e6) / FRAMES
}

/** The client's ring against one that does the least, on frames in order and on frames that wait for each other. */
export async function benchRing() {
  for (const [title, order] of [
    ['the ring, frames in order', frames],
    [`the ring, lots of ${APART} backwards`, backwards],
  ] as const) {
    const bare: Contender = { name: 'bare ring', block: () => run(bareRing, order) }
    await compare({
      title,
      unit: 'ns a frame',
      better: 'less',
      base: bare,
      twin: { ...bare },
      others: [{ name: 'svc', block: () => run((deliver) => createRing<Item>(0, deliver).put, order) }],
      blocks: 60,
      warmUp: 10,
    })
  }
}

if (import.meta.main) await benchRing()
