import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { leftOf } from '@svc/conformance/processes'
import type { CallInput, CommandSpec, JobInput, JobProgress } from '../port/runner.ts'
import { createRunner, type RunnerOptions } from '../runner.ts'

const hostile = new URL('./hostile.mjs', import.meta.url).pathname
let calls = 0

/** A runner on real processes, with the hostile plugin at hand and a mark to find all that it started. */
export function openBed(options: RunnerOptions = {}, reach?: CommandSpec['reach']) {
  const mark = randomBytes(8).toString('hex')
  const runner = createRunner(options)
  const plugin = (env: Record<string, string> = {}): CommandSpec => ({
    id: 'tool-hostile',
    version: '1.0.0',
    command: ['node', hostile],
    env: { ...env, SVC_TEST_MARK: mark },
    reach,
  })
  const common = plugin()
  return {
    runner,
    mark,
    plugin,
    /** Calls a tool of the hostile plugin; `timeoutMs` counts from now. */
    call(tool: string, args: Record<string, unknown> = {}, more: Partial<CallInput> = {}) {
      const timeoutMs = more.timeoutMs ?? 20_000
      return runner.call({
        userId: 'ada',
        plugin: common,
        tool,
        args,
        graceMs: 0,
        invokeId: `inv_${++calls}`,
        maxResultBytes: 4_194_304,
        deadlineMs: (options.clock?.now() ?? Date.now()) + timeoutMs,
        ...more,
        timeoutMs,
      })
    },
    /** Runs a job of the hostile plugin; `there` is its first progress, `told` all that it told, `timeoutMs` counts from now. */
    job(tool: string, args: Record<string, unknown> = {}, more: Partial<JobInput> = {}) {
      const timeoutMs = more.timeoutMs ?? 60_000
      const controller = new AbortController()
      let isThere = () => {}
      const there = new Promise<void>((resolve) => {
        isThere = resolve
      })
      const told = { started: 0, progress: [] as JobProgress[], dropped: 0, beats: 0 }
      const outcome = runner.job({
        userId: 'ada',
        plugin: common,
        tool,
        args,
        jobId: `tjob_${++calls}`,
        maxResultBytes: 262_144,
        deadlineMs: (options.clock?.now() ?? Date.now()) + timeoutMs,
        signal: controller.signal,
        onStarted: () => void told.started++,
        onProgress(progress) {
          told.progress.push(progress)
          isThere()
        },
        onDropped: (count) => {
          told.dropped += count
        },
        onHeartbeat: () => void told.beats++,
        ...more,
        timeoutMs,
      })
      return { outcome, told, there, cancel: (reason?: unknown) => controller.abort(reason) }
    },
  }
}

/** The processes, zombies left out, that carry a mark in their environment. */
export function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`SVC_TEST_MARK=${mark}\0`))
    .map(Number)
    .filter((pid) => /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`)))
}

/** Resolves with the processes that are left as soon as there are none, or when the time is up; see `leftOf`. */
export const leftAfter = (mark: string, ms: number): Promise<readonly number[]> =>
  leftOf(() => marked(mark), ms)

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
