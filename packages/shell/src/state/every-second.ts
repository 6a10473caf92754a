import type { DeskParts } from './parts.ts'

const SECOND_MS = 1_000

/**
 * Lets times go on: what is answered begins, where that is `wanted`, and `work` is done each second until it is wanted
 * no more. Beginning twice is once.
 */
export function everySecond(
  { later }: Pick<DeskParts, 'later'>,
  { wanted, work }: { readonly wanted: () => boolean; readonly work: () => void },
): () => void {
  let ticking = false
  function begin(): void {
    if (ticking || !wanted()) return
    ticking = true
    later(() => {
      ticking = false
      if (!wanted()) return
      work()
      begin()
    }, SECOND_MS)
  }
  return begin
}
