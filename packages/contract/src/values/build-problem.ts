/** What may be wrong with an app while it is developed: its build, its code in a window, or one of its plugins. */
export const problemParts = ['build', 'manifest', 'app', 'plugin'] as const

/** What is wrong with an app while it is developed. */
export interface BuildProblem {
  /** What failed. */
  readonly part: (typeof problemParts)[number]
  /** One sentence. */
  readonly message: string
  /** The file, relative to the folder of the app; `null` where it is not known. */
  readonly file: string | null
  /** The line of the file, from 1; `null` where it is not known. */
  readonly line: number | null
  /** The column of the line, from 1; `null` where it is not known. */
  readonly column: number | null
  /** How to put it right, in a sentence; `null` where nobody can say. */
  readonly hint: string | null
}
