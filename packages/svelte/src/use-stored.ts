import { svc } from '@svc/sdk'
import { createStored, type Stored, type StoredOptions } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns a value of `svc.storage`, with `set` and `reload`. A write that would overwrite what this document has not seen
 * is not done: the state is `conflict`, with the other value. A write goes on when the component is unmounted.
 *
 * @param options read once, as the key is.
 * @example
 * ```svelte
 * const note = useStored('note', { initial: '' })
 * <textarea bind:value={() => note.value, note.set} disabled={note.state === 'loading'}></textarea>
 * ```
 */
export const useStored = <Value>(key: string, options: StoredOptions<Value>): Stored<Value> =>
  useShown(createStored(svc, key, options))
