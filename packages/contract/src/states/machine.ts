type Table = Readonly<Record<string, Readonly<Record<string, string>>>>
type StateOf<T extends Table> = keyof T & string
type EventOf<T extends Table> = { [From in keyof T]: keyof T[From] & string }[keyof T]

/** A table of states, read as functions. */
export interface Machine<State extends string, Event extends string> {
  readonly states: readonly State[]
  readonly events: readonly Event[]
  /** The state after `event`, or `null` where the table has no such move. */
  next(state: State, event: Event): State | null
  /** The states that `event` may leave: the list of a compare-and-set. */
  sources(event: Event): readonly State[]
  /** States that some event leaves. */
  readonly active: ReadonlySet<State>
  /** States that nothing leaves. */
  readonly terminal: ReadonlySet<State>
}

/**
 * Reads a table of moves, `{ queued: { start: 'running' }, running: {} }`: for each state, which event
 * leads to which state. There is no other place where a state is decided.
 */
export function machine<const T extends Table>(
  moves: T & { readonly [From in keyof T]: Readonly<Record<string, keyof T>> },
): Machine<StateOf<T>, EventOf<T>> {
  type State = StateOf<T>
  type Event = EventOf<T>
  const states = Object.keys(moves) as State[]
  const table = new Map(
    states.map((state) => [state, new Map(Object.entries(moves[state]) as [Event, State][])]),
  )
  const events = [...new Set(states.flatMap((state) => [...(table.get(state)?.keys() ?? [])]))]
  const leaves = (state: State) => Object.keys(moves[state]).length > 0
  return {
    states,
    events,
    next: (state, event) => table.get(state)?.get(event) ?? null,
    sources: (event) => states.filter((state) => table.get(state)?.has(event)),
    active: new Set(states.filter(leaves)),
    terminal: new Set(states.filter((state) => !leaves(state))),
  }
}
