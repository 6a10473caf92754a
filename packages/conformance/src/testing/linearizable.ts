/** What a client did to one key. A written value is written once in a whole history, so that it names its write. */
export type Act =
  | { readonly verb: 'read' }
  | { readonly verb: 'insert'; readonly value: string }
  | { readonly verb: 'swap'; readonly from: string; readonly value: string }
  | { readonly verb: 'remove'; readonly from: string }

/**
 * What it was told. `value`: what a read found, or what holds the key against an insert. `done` is false where the record
 * was no longer the one to swap or remove. `full`: a cap refused, and nothing was written.
 */
export type Outcome =
  | { readonly value: string | null }
  | { readonly done: boolean }
  | { readonly full: string }

/** One call on a key, by times of one clock. */
export interface Operation {
  readonly act: Act
  readonly called: number
  /** Without an outcome: when the process ended that would have done it. */
  readonly returned: number
  /** Left out: nobody was told; it happened before `returned`, or never. */
  readonly outcome?: Outcome | undefined
}

type State = string | null

interface Search {
  /** All operations before this one have their place. */
  readonly from: number
  /** And these after it. */
  readonly beyond: readonly number[]
  readonly state: State
}

/**
 * Looks for an order of the operations in which each happens at one instant between its call and its return, and each
 * outcome is right (the search of Wing and Gong, with what was seen before left out). Returns null where there is one, and
 * else a sentence with the operations of which none can come next.
 */
export function whyNotLinearizable(history: readonly Operation[], initial: State): string | null {
  const operations = history.toSorted((a, b) => a.called - b.called)
  const seen = new Set<string>()
  const left: Search[] = [{ from: 0, beyond: [], state: initial }]
  let furthest: Search = { from: 0, beyond: [], state: initial }
  for (let search = left.pop(); search; search = left.pop()) {
    const name = JSON.stringify(search)
    if (seen.has(name)) continue
    seen.add(name)
    if (search.from === operations.length) return null
    if (placed(search) > placed(furthest)) furthest = search
    for (const at of candidates(operations, search)) {
      const operation = operations[at] as Operation
      for (const state of statesAfter(operation, search.state)) left.push(placing(search, at, state))
    }
  }
  const stuck = candidates(operations, furthest).map((at) => JSON.stringify(operations[at]))
  return `with ${placed(furthest)} of ${operations.length} operations in order and the value ${furthest.state}, none of these can be next: ${stuck.join(' ')}`
}

const placed = ({ from, beyond }: Search) => from + beyond.length

/** What may come next: called before any that is left has returned. */
function candidates(operations: readonly Operation[], { from, beyond }: Search): number[] {
  const found: number[] = []
  let end = Number.POSITIVE_INFINITY
  for (let at = from; at < operations.length; at++) {
    const { called, returned } = operations[at] as Operation
    if (called > end) break
    if (beyond.includes(at)) continue
    found.push(at)
    end = Math.min(end, returned)
  }
  return found.filter((at) => (operations[at] as Operation).called <= end)
}

function placing({ from, beyond }: Search, at: number, state: State): Search {
  const rest = [...beyond, at].sort((a, b) => a - b)
  let next = from
  while (rest[0] === next) {
    rest.shift()
    next += 1
  }
  return { from: next, beyond: rest, state }
}

/** The states that an operation may leave; none where its outcome is wrong in this one. */
function statesAfter({ act, outcome }: Operation, state: State): State[] {
  const after = stateAfter(act, state)
  if (outcome === undefined) return after === state ? [state] : [state, after]
  if ('full' in outcome) return [state]
  if ('value' in outcome) return outcome.value === state ? [state] : []
  const isDone = act.verb === 'insert' ? state === null : 'from' in act && act.from === state
  return isDone === outcome.done ? [after] : []
}

function stateAfter(act: Act, state: State): State {
  if (act.verb === 'read') return state
  if (act.verb === 'insert') return state ?? act.value
  if (act.from !== state) return state
  return act.verb === 'swap' ? act.value : null
}
