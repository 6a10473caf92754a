/** One thing that the service must do, and whether it stands. */
export interface Requirement<Id extends string = string> {
  /** Stable and dotted: tests cite it. */
  readonly id: Id
  /** What holds it: a ruling, by the name of its file without `.md`, or a page, by its path in the repository. */
  readonly source: string
  /** What must hold, in words of our own. */
  readonly sentence: string
  readonly status: 'built' | 'pending'
  /** Why a pending one does not stand yet. */
  readonly why?: string
}

type Sentences<Id extends string> = Readonly<Record<Id, string>>

const toRows = <Id extends string>(
  sentences: Sentences<Id>,
  rest: Omit<Requirement, 'id' | 'sentence'>,
): Requirement<Id>[] =>
  (Object.entries(sentences) as [Id, string][]).map(([id, sentence]) => ({ id, sentence, ...rest }))

/** Rows that stand: the gate asks for a test of each. */
export const built = <const Id extends string>(
  source: string,
  sentences: Sentences<Id>,
): readonly Requirement<Id>[] => toRows(sentences, { source, status: 'built' })

/** Rows that do not stand yet, with the reason. */
export const pending = <const Id extends string>(
  source: string,
  why: string,
  sentences: Sentences<Id>,
): readonly Requirement<Id>[] => toRows(sentences, { source, status: 'pending', why })
