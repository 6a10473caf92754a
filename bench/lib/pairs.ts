import { profiledBlock } from './profile.ts'
import type { Result, ResultRow, Spread } from './result.ts'

/** The figure of a block with what the processor counted meanwhile. */
export interface Measured {
  readonly figure: number
  /** Instructions in the unit of the figure's work (a request, a token); `null` where the machine counts none. */
  readonly instructions: number | null
}

/** One way of doing the work: `block` does one block of it and returns its figure. */
export interface Contender {
  readonly name: string
  /** The figure of one block, in the unit of the whole comparison. */
  block(): Promise<number | Measured>
}

/** A comparison: the base comes first, its twin shows how far two equal things lie apart. */
export interface Comparison {
  readonly title: string
  readonly unit: string
  /** `less`: a ratio above 1 is slower than the base. `more`: a ratio above 1 is faster. */
  readonly better: 'less' | 'more'
  readonly base: Contender
  /** The same as the base, measured as if it were another: the A/A row. */
  readonly twin: Contender
  readonly others: readonly Contender[]
  readonly blocks?: number
  readonly warmUp?: number
  /** How far the A/A median may lie from 1 for the run to count. */
  readonly aaWithin?: number
}

/** One printed row: the figure and the ratio to the base, as medians with quartiles. */
export interface Row extends ResultRow {
  readonly ratio: Spread
}

/** What came out of a comparison. */
export interface Outcome extends Result {
  readonly rows: readonly Row[]
}

/** The median and quartiles of some figures. */
export function spread(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b)
  const at = (share: number) => {
    const place = share * (sorted.length - 1)
    const low = sorted[Math.floor(place)] ?? Number.NaN
    const high = sorted[Math.ceil(place)] ?? Number.NaN
    return low + (high - low) * (place - Math.floor(place))
  }
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) }
}

/**
 * Measures all contenders in turns, block by block, in an order that is drawn anew each time; the ratio of a
 * block is to the base's figure of the same block, so that a slow moment of the machine hits both.
 */
export async function compare(comparison: Comparison): Promise<Outcome> {
  const { title, unit, better, base, twin, others, blocks = 30, warmUp = 3, aaWithin = 0.05 } = comparison
  const all = [base, twin, ...others]
  const measured = new Map(all.map((one) => [one, [] as Measured[]]))
  for (let round = -warmUp; round < blocks; round++)
    for (const one of shuffled(all)) {
      const block = await one.block()
      if (round >= 0)
        measured.get(one)?.push(typeof block === 'number' ? { figure: block, instructions: null } : block)
    }
  const of = (one: Contender) => measured.get(one) ?? []
  const rows = all.map((one) => {
    const counted = of(one).flatMap(({ instructions }) => instructions ?? [])
    return {
      name: one === twin ? `${base.name} (A/A)` : one.name,
      figure: spread(of(one).map(({ figure }) => figure)),
      ratio: spread(of(one).map(({ figure }, at) => figure / (of(base)[at]?.figure ?? Number.NaN))),
      instructions: counted.length > 0 ? spread(counted) : null,
    }
  })
  const apart = rows[1]?.ratio.median ?? Number.NaN
  const outcome = {
    title,
    unit,
    better,
    blocks,
    rows,
    counts: Math.abs(apart - 1) <= aaWithin,
    noise: Math.abs(Math.log(apart)),
  }
  print(outcome)
  for (const one of [base, ...others]) await profiledBlock(`${title} ${one.name}`, () => one.block())
  return outcome
}

function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list]
  for (let at = copy.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1))
    ;[copy[at], copy[other]] = [copy[other] as T, copy[at] as T]
  }
  return copy
}

const short = (value: number) => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(4))

function print({ title, unit, better, blocks, rows, counts }: Outcome) {
  console.log(`\n${title} (${unit}, ${better} is better, median [quartiles] of ${blocks} paired blocks)`)
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const { name, figure, ratio, instructions } of rows) {
    const counted = instructions ? `  ${short(instructions.median)} instructions` : ''
    console.log(
      `  ${name.padEnd(width)}  ${short(figure.median).padStart(9)} [${short(figure.q1)} – ${short(figure.q3)}]  × ${ratio.median.toFixed(3)} [${ratio.q1.toFixed(3)} – ${ratio.q3.toFixed(3)}]${counted}`,
    )
  }
  if (!counts) console.log('  the A/A row is too far from 1: this run does not count')
}
