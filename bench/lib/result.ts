/** A median between its quartiles. */
export interface Spread {
  readonly q1: number
  readonly median: number
  readonly q3: number
}

/** One row of a table: its figure, and in a paired comparison its ratio to the base, the first row. */
export interface ResultRow {
  readonly name: string
  readonly figure: Spread
  /** `null` where the rows of the table are not measured beside a base. */
  readonly ratio: Spread | null
  /** What the processor counted for the same work; `null` where it counts nothing. */
  readonly instructions: Spread | null
}

/** What is kept of one table of a run. */
export interface Result {
  readonly title: string
  readonly unit: string
  readonly better: 'less' | 'more'
  readonly rows: readonly ResultRow[]
  /** How many blocks each row is the median of. */
  readonly blocks: number
  /** Whether two equal things were measured as equal. */
  readonly counts: boolean
  /** How far two runs of the same code may lie apart beside the quartiles, as a share: what A/A showed, in a paired comparison. */
  readonly noise: number
}

/** What is measured without a base: a figure for each name. */
export interface Figures {
  readonly title: string
  readonly unit: string
  readonly better: 'less' | 'more'
  /** See `Result`; 0 for what is the same each time, like bytes. */
  readonly noise: number
  readonly figures: Readonly<Record<string, number | Spread>>
}

/** Returns a table without ratios, for the file of results. */
export function resultOf({ title, unit, better, noise, figures }: Figures): Result {
  const rows = Object.entries(figures).map(([name, figure]) => ({
    name,
    figure: typeof figure === 'number' ? { q1: figure, median: figure, q3: figure } : figure,
    ratio: null,
    instructions: null,
  }))
  return { title, unit, better, rows, blocks: 1, counts: true, noise }
}
