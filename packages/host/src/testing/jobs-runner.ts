import type { CallOutcome, JobInput, Runner } from '@svc/runner'

/** A job as a test drives it from the runner's side. */
export interface RunningJob extends JobInput {
  /** Ends it with an outcome. */
  end(outcome: CallOutcome): void
  /** Progress whose data is `data`. */
  tell(data: unknown, type?: string): void
  /** Whether it was ended, or aborted. */
  hasEnded(): boolean
}

/** A runner whose jobs do what the test says; an abort ends one as the real runner does. */
export interface TestRunner extends Runner {
  /** What it runs and ran, in the order of their starts. */
  readonly started: RunningJob[]
  /** The job of an id. Throws where it never came here. */
  of(jobId: string): RunningJob
}

/** The outcome of a plugin that answered `payload`. */
export function answered(payload: unknown): CallOutcome {
  const json = JSON.stringify(payload) ?? 'null'
  return { ok: true, payload, json, bytes: Buffer.byteLength(json) }
}

/** Makes one. */
export function testRunner(): TestRunner {
  const started: RunningJob[] = []
  return {
    install: async () => ({ ok: true }),
    started,
    of(jobId) {
      const found = started.find((one) => one.jobId === jobId)
      if (!found) throw new Error(`${jobId} was never started`)
      return found
    },
    job: (input) =>
      new Promise((resolve) => {
        let hasEnded = false
        const end = (outcome: CallOutcome) => {
          hasEnded = true
          resolve(outcome)
        }
        const aborted = () => end({ ok: false, code: 'cancelled', message: 'it was aborted' })
        input.signal.addEventListener('abort', aborted, { once: true })
        if (input.signal.aborted) aborted()
        const tell = (data: unknown, type = 'progress') =>
          input.onProgress({ type, json: JSON.stringify(data) })
        started.push({ ...input, end, tell, hasEnded: () => hasEnded })
        input.onStarted()
      }),
    call: async () => answered({}),
    describe: async () => ({
      ok: true,
      description: { name: 'build', tools: [{ name: 'all', parameters: [] }] },
    }),
    stats: () => ({ processes: 0, busy: 0, waiting: 0, noise: 0 }),
    close: async () => {},
  }
}
