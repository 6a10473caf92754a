import type { Result } from '../lib/result.ts'
import type { Machine } from './machine.ts'

/** One run of `npm run bench`, as its file has it. */
export interface Run {
  /** By time and commit; the name of the file, too. */
  readonly name: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly commit: string
  /** Whether the sources were as the commit has them. */
  readonly isClean: boolean
  readonly machine: Machine
  /** Processes that wanted a core over the minute before, on average. */
  readonly load: { readonly start: number; readonly end: number }
  /** What was run. */
  readonly measurements: readonly string[]
  readonly results: readonly Result[]
}

/** Returns the name of a run that begins now: `20261126-135423-05f94858`, unique to the second on one commit. */
export function runName(startedAt: string, commit: string): string {
  const [day = '', time = ''] = startedAt.split('T')
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${commit}`
}

/** Returns why a value is not a run that this version can read; `null` where it is one. */
export function notARun(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return 'it is not an object'
  const { name, results, machine } = value as Partial<Run>
  if (typeof name !== 'string') return 'it has no `name`'
  if (typeof machine !== 'object' || machine === null) return 'it has no `machine`'
  if (!Array.isArray(results)) return 'it has no list of `results`'
  const at = results.findIndex(
    (one) => typeof one?.title !== 'string' || typeof one.noise !== 'number' || !Array.isArray(one.rows),
  )
  return at === -1 ? null : `results[${at}] has no \`title\`, \`noise\` or \`rows\``
}
