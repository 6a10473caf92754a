import type { DatabaseSync } from 'node:sqlite'
import { type Failure, failureOf } from './failure.ts'

/** One verb with its arguments, and the number under which its outcome is sent back. */
export type Request = readonly [number: number, verb: string, args: readonly unknown[]]

/** What became of it. */
export type Reply = readonly [number: number, outcome: unknown, failure?: Failure]

/** What a thread does under a name. */
export interface Verb {
  run(...args: readonly never[]): unknown
  /** The connection that it writes with; without one it only reads. */
  readonly writes?: DatabaseSync
}

/** What may be asked of a thread, and what to do when a batch was undone. */
export interface Verbs {
  readonly verbs: Readonly<Record<string, Verb>>
  undone(): void
}

/**
 * Runs requests as one batch: verbs run in order in one transaction, and what they give is sent when it has been committed.
 * Where a verb or the commit fails, all is undone and each is run again in a transaction of its own, so that one fails
 * alone.
 */
export function runBatch(requests: readonly Request[], { verbs, undone }: Verbs): Reply[] {
  const open = new Set<DatabaseSync>()
  try {
    const replies = requests.map((request): Reply => [request[0], runVerb(request, verbs, open)])
    for (const db of open) db.exec('COMMIT')
    return replies
  } catch (error) {
    for (const db of open) if (db.isTransaction) db.exec('ROLLBACK')
    undone()
    const [only, ...others] = requests
    if (only && others.length === 0) return [[only[0], null, failureOf(error)]]
    return requests.flatMap((request) => runBatch([request], { verbs, undone }))
  }
}

function runVerb([, name, args]: Request, verbs: Verbs['verbs'], open: Set<DatabaseSync>): unknown {
  const verb = verbs[name]
  if (!verb) throw new TypeError(`there is no verb ${name}`)
  if (verb.writes && !open.has(verb.writes)) {
    verb.writes.exec('BEGIN IMMEDIATE')
    open.add(verb.writes)
  }
  return verb.run(...(args as readonly never[]))
}
