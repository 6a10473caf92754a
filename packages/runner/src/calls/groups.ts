import type { CommandSpec } from '../port/runner.ts'
import type { Worker } from './worker.ts'

/** The processes of one user and one version of a plugin; nobody else ever gets one of them. */
export interface Group {
  readonly key: string
  readonly userId: string
  readonly plugin: CommandSpec
  readonly idle: { readonly worker: Worker; readonly sinceMs: number }[]
  /** Processes that have not ended yet, whatever they do. */
  alive: number
  busy: number
  waiting: number
  /** Unix ms; 0 where no call has given a process back yet. */
  lastUseMs: number
  uses: number
}

const fresh = () => ({ idle: [], alive: 0, busy: 0, waiting: 0, lastUseMs: 0, uses: 0 })

/** The groups in use; `onForget(key)` is called when one is over. */
export function openGroups(onForget: (key: string) => void) {
  const groups = new Map<string, Group>()
  let known = new WeakMap<CommandSpec, Map<string, Group>>()

  return {
    /** Known by the spec object and the user first: a long key a call would cost more than the rest of the pool. */
    of(userId: string, plugin: CommandSpec): Group {
      const users = known.get(plugin) ?? new Map<string, Group>()
      const before = users.get(userId)
      if (before) return before
      const { id, version, command, cwd, env, reach } = plugin
      const key = JSON.stringify([userId, id, version, command, cwd, env, reach])
      const group = groups.get(key) ?? { key, userId, plugin, ...fresh() }
      groups.set(key, group)
      known.set(plugin, users.set(userId, group))
      return group
    },
    all: () => groups.values(),
    has: (group: Group) => groups.get(group.key) === group,
    /** Twice is harmless. */
    forget(group: Group): void {
      if (!groups.delete(group.key)) return
      // Nothing says which specs led to it; those still in use find theirs again at the cost of one key.
      known = new WeakMap()
      onForget(group.key)
    },
  }
}
