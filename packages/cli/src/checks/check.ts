/** What came of one check. */
export type Verdict =
  /** It holds; `note` says more where there is more to say. */
  | { readonly kind: 'held'; readonly note?: string }
  /** It does not: what is wrong, a sentence each, in the order in which it was seen. */
  | {
      readonly kind: 'broken'
      readonly problems: readonly string[]
      /** How to put it right, where the check's own hint would not help. */
      readonly hint?: string
      /** What is checked does not run at all: nothing else can be tried. */
      readonly isSilent?: true
    }
  /** It was not tried, for this reason. */
  | { readonly kind: 'left_out'; readonly why: string }

/** One thing that a plugin or an app has to do. */
export interface Check<Bench> {
  /** The requirement that it proves. */
  readonly id: string
  /** What holds where it passes, a few words. */
  readonly name: string
  /** How to put right what breaks it. */
  readonly hint: string
  /** Tries it; what it opens on the bench is closed afterwards. */
  run(bench: Bench): Promise<Verdict>
}

/** How one check ended. */
export interface Finding {
  readonly check: Omit<Check<never>, 'run'>
  readonly verdict: Verdict
  readonly ms: number
}

/** It holds. */
export const passed = (note?: string): Verdict => ({ kind: 'held', ...(note !== undefined && { note }) })

/** It does not hold. */
export const broken = (...problems: readonly string[]): Verdict => ({ kind: 'broken', problems })

/** Holds where there are no problems. */
export const verdictOf = (problems: readonly string[], note?: string): Verdict =>
  problems.length === 0 ? passed(note) : broken(...problems)
