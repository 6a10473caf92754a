/** How much the rules do that do much: less of it, or more time, is for a driver behind a slow network. */
export interface Load {
  /** Lists of random writes; default 500. */
  readonly lists?: number
  /** Swaps of each of eight writers; default 2 000. */
  readonly writes?: number
  /** Keys that are walked over; default 100 000. */
  readonly keys?: number
  /** How long the writers, or the walk, may take on a busy machine, ms; default 120 000. */
  readonly boundMs?: number
}
