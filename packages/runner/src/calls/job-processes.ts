import type { CommandSpec } from '../port/runner.ts'
import type { Worker, WorkerOptions } from './worker.ts'

/**
 * The processes of jobs: one each, never kept warm. A job lives for up to a day, so none of them takes a place that
 * calls wait for.
 *
 * `open(plugin, options)` starts a process and never throws.
 */
export function openJobProcesses(open: (plugin: CommandSpec, options: WorkerOptions) => Worker) {
  const alive = new Set<Worker>()
  const busy = new Set<Worker>()
  let closed = false

  return {
    /** A process of its own for one job, or nothing once this is closed. */
    start(plugin: CommandSpec, options: WorkerOptions): Worker | undefined {
      if (closed) return undefined
      const worker = open(plugin, options)
      alive.add(worker)
      busy.add(worker)
      void worker.ended.then(() => alive.delete(worker))
      return worker
    },
    /** The job of a process is over; what is left is its end. */
    finish: (worker: Worker) => void busy.delete(worker),
    get isClosed(): boolean {
      return closed
    },
    /** Resolves when the processes whose jobs are over are gone. */
    async departed(): Promise<void> {
      await Promise.all([...alive].filter((worker) => !busy.has(worker)).map((worker) => worker.ended))
    },
    stats: () => ({ processes: alive.size, busy: busy.size }),
    /** Kills every process. */
    async close(): Promise<void> {
      closed = true
      await Promise.all([...alive].map((worker) => worker.kill()))
    },
  }
}

/** See `openJobProcesses`. */
export type JobProcesses = ReturnType<typeof openJobProcesses>
