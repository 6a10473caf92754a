import { svc } from '@svc/sdk'
import { createStored, type Stored, type StoredOptions } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns a value of `svc.storage`, with `set` and `reload`. A write that would overwrite what this document has not seen
 * is not done: the state is `conflict`, with the other value. An unmount does not stop a write.
 *
 * @param options `initial` is read once for each key.
 * @example
 * ```tsx
 * const { value, state, conflict, set, reload } = useStored('note', { initial: '' })
 * if (conflict) return <button onClick={() => reload()}>Show theirs: {conflict.theirs}</button>
 * return <textarea value={value} disabled={state === 'loading'} onChange={(event) => set(event.target.value)} />
 * ```
 */
export function useStored<Value>(key: string, options: StoredOptions<Value>): Stored<Value> {
  return useShown(() => createStored(svc, key, options), [key, options.scope])
}
