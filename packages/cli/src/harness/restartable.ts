import { type MemoryData, openMemory } from '../host/memory-data.ts'
import { openTurns } from '../project/turns.ts'
import { failure } from '../terminal/failure.ts'
import { type Harness, type HarnessOptions, startHarness } from './harness.ts'

/** A harness that can be started again at its port: pages connect again by themselves. */
export interface Restartable {
  /** The one that runs, or that ran last. */
  readonly current: Harness
  /** Starts it again with its data. Errors: those of `startHarness`. */
  restart(): Promise<Harness>
  /** Starts it again without any data. Errors: those of `startHarness`; `usage` where a folder keeps the data. */
  clear(): Promise<Harness>
  /** Ends it; twice is harmless. */
  close(): Promise<void>
}

/** Starts a harness that can be started again. Errors: those of `startHarness`. */
export async function openRestartable(
  options: Omit<HarnessOptions, 'memory' | 'hmrPorts'>,
): Promise<Restartable> {
  const { data } = options
  const hmrPorts = new Map<string, number>()
  const open = () => (data === undefined ? openMemory() : null)
  const start = (memory: MemoryData | null, port = options.port) =>
    startHarness({
      ...options,
      hmrPorts,
      ...(port !== undefined && { port }),
      ...(memory && { memory: memory.ports }),
    })
  let memory = open()
  let current = await start(memory).catch(async (error: unknown) => {
    await memory?.close()
    throw error
  })

  const inTurn = openTurns()
  const again = (nextOf: () => MemoryData | null) => inTurn(() => startAgain(nextOf()))
  async function startAgain(next: MemoryData | null): Promise<Harness> {
    await current.close()
    if (next !== memory) await memory?.close()
    memory = next
    current = await start(memory, Number(new URL(current.url).port))
    return current
  }

  return {
    get current() {
      return current
    },
    restart: () => again(() => memory),
    async clear() {
      if (data !== undefined)
        throw failure('usage', `the data is kept in ${data}`, 'To clear it, stop svc and delete this folder.')
      return again(open)
    },
    async close() {
      await inTurn(() => current.close())
      await memory?.close()
    },
  }
}
