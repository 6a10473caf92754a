import { totalmem } from 'node:os'
import { constrainedMemory, memoryUsage } from 'node:process'
import { getHeapStatistics } from 'node:v8'

/** How much memory this process uses, as a part of what it may have. */
export function memoryInUse(): number {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return partInUse({
    heap: used_heap_size,
    heapMost: heap_size_limit,
    rss: memoryUsage.rss(),
    container: constrainedMemory(),
    machine: totalmem(),
  })
}

/** What is in use, and what there is, in bytes. */
interface Memory {
  readonly heap: number
  readonly heapMost: number
  readonly rss: number
  /** The bound of the container that the process runs in; 0: there is none. */
  readonly container: number
  readonly machine: number
}

/** The part in use of V8's heap, or of the machine or the container, whichever is shorter. */
export function partInUse({ heap, heapMost, rss, container, machine }: Memory): number {
  const room = container > 0 && container < machine ? container : machine
  return Math.max(heap / heapMost, rss / room)
}
