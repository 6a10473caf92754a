import type {
  CheckedId,
  CheckedTool,
  KnownArgs,
  KnownResult,
  ToolsInvokeAsyncArgs,
} from '@svc/contract/client'
import type { HostRpcError } from '../errors.ts'
import type { Progress } from '../follow-job.ts'
import type { Svc } from '../svc.ts'
import type { CallState } from './call.ts'
import { createState, type OwnState, type State } from './state.ts'

/** Where a job is, and the last progress of it. */
export type ToolJobState<Result, Data> = CallState<Result> & {
  /** The id of the job, once the host has accepted it: `attach` goes on with it in a later document. */
  readonly jobId: string | undefined
  /** The last progress message. */
  readonly progress: Progress<Data> | undefined
}

/** Options of a job. */
export type ToolJobOptions = Pick<ToolsInvokeAsyncArgs, 'timeoutMs' | 'clientTag'>

/** How to begin a job, to go on with one, and to cancel it. */
export interface ToolJobActions<Args extends readonly unknown[], Result, Data> {
  /**
   * Starts a job and shows it in place of the one before it, which goes on; of several in one tick only the last is
   * started. Returns how it ended, and never rejects.
   */
  readonly start: (...args: Args) => Promise<ToolJobState<Result, Data>>
  /** Shows a job that was started before, in this document or another. Returns how it ended, and never rejects. */
  readonly attach: (jobId: string) => Promise<ToolJobState<Result, Data>>
  /** Cancels the job that is shown: it then fails with the code `cancelled`. */
  readonly cancel: (reason?: string) => void
}

/** A job of one tool: its state, and how to start the next. */
export type ToolJob<Result extends object, Data, Id extends string, Tool extends string> = ToolJobState<
  KnownResult<Result, Id, Tool>,
  Data
> &
  ToolJobActions<
    [...args: KnownArgs<Id, Tool>, options?: ToolJobOptions],
    KnownResult<Result, Id, Tool>,
    Data
  >

/**
 * Makes the states of a job. It is read while there are subscribers, and goes on at the host when the last one leaves;
 * a subscriber who comes later reads on.
 */
export function createToolJob<
  Result extends object = Record<string, unknown>,
  Data = unknown,
  Id extends string = string,
  Tool extends string = string,
>(
  { tools }: Pick<Svc, 'tools'>,
  tool_id: CheckedId<Id>,
  method?: CheckedTool<Id, Tool>,
): State<ToolJob<Result, Data, Id, Tool>> {
  type Args = [args?: ToolsInvokeAsyncArgs['args'], options?: ToolJobOptions]
  type Shown = ToolJobState<Result, Data> & ToolJobActions<Args, Result, Data>
  /** The id of the job that is shown; of one that is not started after all, `undefined`. */
  let accepted: Promise<string | undefined> | undefined
  let reading: AsyncIterator<Progress<Data>> | undefined
  let heard = false

  const state: OwnState<Shown> = createState<Shown>(
    {
      state: 'idle',
      value: undefined,
      error: undefined,
      jobId: undefined,
      progress: undefined,
      start: (args, options) =>
        show(async () => (await tools.invokeAsync({ ...options, tool_id, method, args } as never)).jobId),
      attach: (jobId) => show(async () => jobId),
      cancel(reason) {
        accepted?.then(
          (jobId): unknown => jobId && tools.job(jobId).cancel(reason).catch(reportError),
          () => undefined,
        )
      },
    },
    () => {
      heard = true
      void read()
      return () => {
        heard = false
        leave()
      }
    },
  )
  const { get, change } = state

  function leave(): void {
    reading?.return?.()
    reading = undefined
  }

  async function read(): Promise<void> {
    const { state, jobId, progress: last } = get()
    if (!heard || state !== 'running' || !jobId) return
    const job = tools.job<Result, Data>(jobId)
    const own = job.progress({ sinceSeq: last?.seq ?? 0 })[Symbol.asyncIterator]()
    reading = own
    try {
      for (;;) {
        const { done, value: progress } = await own.next()
        if (reading !== own) return
        if (done) break
        change({ progress })
      }
      const value = await job.result()
      if (reading === own) change({ state: 'done', value })
    } catch (error) {
      if (reading === own) change({ state: 'failed', error: error as HostRpcError })
    }
  }

  async function show(begin: () => Promise<string>): Promise<Shown> {
    // React's StrictMode runs each effect twice in one tick: a job of an effect is started once.
    const own: typeof accepted = Promise.resolve().then(() => (accepted === own ? begin() : undefined))
    accepted = own
    leave()
    change({ state: 'running', error: undefined, jobId: undefined, progress: undefined })
    try {
      const jobId = await own
      if (accepted === own) {
        change({ jobId })
        await read()
      }
    } catch (error) {
      if (accepted === own) change({ state: 'failed', error: error as HostRpcError })
    }
    return get()
  }

  return state as unknown as State<ToolJob<Result, Data, Id, Tool>>
}
