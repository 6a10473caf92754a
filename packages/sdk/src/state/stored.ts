import type { HostRpcError } from '../errors.ts'
import type { Svc } from '../svc.ts'
import { createState, type OwnState, type State } from './state.ts'

/** A value of `svc.storage`, and where its reading or writing is. */
export interface StoredState<Value> {
  /**
   * `loading`: it is read; `ready`: it is what is stored; `saving`: it is written; `conflict`: somebody else wrote what this
   * document had not seen, and nothing was overwritten; `failed`: it could not be read or written.
   */
  readonly state: 'loading' | 'ready' | 'saving' | 'conflict' | 'failed'
  /** The value, as `set` was called last; what is stored, else; `initial` where nothing is. */
  readonly value: Value
  /** What is stored, where the state is `conflict`. */
  readonly conflict:
    | {
        /** The value that somebody else wrote; `undefined` where it was deleted. */
        readonly theirs: Value | undefined
      }
    | undefined
  /** Why it could not be read or written. */
  readonly error: HostRpcError | undefined
}

/** Options of a stored value. */
export interface StoredOptions<Value> {
  /** The value until it was read, and where nothing is stored. */
  readonly initial: Value
  /** `shared`: the values that all users of the app share. Default `app`. */
  readonly scope?: 'app' | 'shared' | undefined
}

/** How to change a stored value. */
export interface StoredActions<Value> {
  /**
   * Shows a value at once and writes it, if what is stored is what this document has seen; else the state is `conflict`, and the
   * next `set` overwrites what is in `conflict`. While a write is under way, the last of later values follows it.
   * Returns how it ended, and never rejects.
   */
  readonly set: (value: Value) => Promise<StoredState<Value>>
  /** Reads what is stored and shows it, also in place of a value that is in conflict. Never rejects. */
  readonly reload: () => Promise<StoredState<Value>>
}

/** A value of `svc.storage`: its state, and how to change it. */
export type Stored<Value> = StoredState<Value> & StoredActions<Value>

/**
 * Makes the states of a stored value. It is read once, for the first subscriber or the first `set`. A write goes on when
 * the last subscriber leaves.
 */
export function createStored<Value>(
  { storage }: Pick<Svc, 'storage'>,
  key: string,
  { initial, scope }: StoredOptions<Value>,
): State<Stored<Value>> {
  /** Of what is stored, as this document has seen it; `undefined` where nothing is. */
  let etag: string | undefined
  let hasSeen = false
  let next: { readonly value: Value } | undefined
  let working: Promise<void> | undefined

  const state: OwnState<Stored<Value>> = createState<Stored<Value>>(
    {
      state: 'loading',
      value: initial,
      conflict: undefined,
      error: undefined,
      async set(value) {
        next = { value }
        show('saving', next)
        // A listener that is told of the end of a write may set the next value.
        while (next) await work()
        return get()
      },
      async reload() {
        await working
        next = undefined
        hasSeen = false
        show('loading')
        await work()
        return get()
      },
    },
    () => {
      if (!hasSeen) void work()
      return undefined
    },
  )
  const { get, change } = state
  const show = (state: StoredState<Value>['state'], more?: Partial<StoredState<Value>>) =>
    change({ conflict: undefined, error: undefined, state, ...more })

  async function read(): Promise<Value | undefined> {
    hasSeen = false
    const stored = await storage.get({ key, scope }).catch((error: HostRpcError) => {
      if (error.code !== 'not_found') throw error
    })
    hasSeen = true
    etag = stored?.etag
    return stored?.value as Value | undefined
  }

  /** Says that somebody else wrote, unless that is the same value. */
  function differs(theirs: Value | undefined, mine: Value): boolean {
    if (JSON.stringify(theirs) === JSON.stringify(mine)) return false
    next = undefined
    show('conflict', { conflict: { theirs } })
    return true
  }

  async function readAndWrite(): Promise<void> {
    try {
      if (!hasSeen) {
        const value = await read()
        if (!next) return show('ready', { value: etag ? (value as Value) : initial })
        // A value that was set before the stored one was read must not overwrite it.
        if (etag && differs(value, next.value)) return
      }
      while (next) {
        const { value } = next
        next = undefined
        try {
          etag = (await storage.set({ key, value, scope, if_match: etag })).etag
        } catch (error) {
          if ((error as HostRpcError).code !== 'precondition_failed') throw error
          if (differs(await read(), value)) return
        }
      }
      show('ready')
    } catch (error) {
      next = undefined
      show('failed', { error: error as HostRpcError })
    }
  }

  function work(): Promise<void> {
    working ??= readAndWrite().finally(() => {
      working = undefined
    })
    return working
  }

  return state
}
