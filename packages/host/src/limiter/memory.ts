import { totalmem } from 'node:os'
import { constrainedMemory, memoryUsage } from 'node:process'
import { getHeapStatistics } from 'node:v8'

/**
 * How much memory this process uses, as a part of what it may have: of V8's heap, and of the machine or of the container
 * that it runs in, whichever is shorter.
 */
export function memoryInUse(): number {
  const { used_heap_size: used, heap_size_limit: most } = getHeapStatistics()
  const container = constrainedMemory()
  const machine = totalmem()
  const room = container > 0 && container < machine ? container : machine
  return Math.max(used / most, memoryUsage.rss() / room)
}
