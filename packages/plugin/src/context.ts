import { AgentSessionClient, type HostFile, type KeptFile } from './agent-session.ts'
import { HostError } from './host-error.ts'

/** What a running call knows about itself, and how it speaks to the host meanwhile. */
export interface Context {
  /** The id of this call; of a job its `jobId`. */
  readonly invokeId: string
  /** When the caller stops waiting, in Unix ms; `Infinity` where the host named no time. */
  readonly deadlineMs: number
  /** Fires when the call is cancelled or its deadline passes. */
  readonly signal: AbortSignal
  /** Milliseconds until the deadline, never below 0. */
  remainingMs(): number
  /** Writes a line to the plugin's log (stderr). */
  log(...what: readonly unknown[]): void
  /**
   * Sends progress to the caller of a job: at most 8 KB of JSON, 50 a second. It never throws: what cannot be sent is
   * logged, and what comes after the end of the call is dropped.
   *
   * @example
   * ```ts
   * ctx.emitProgress({ percent: 40 })
   * ```
   */
  emitProgress(data: unknown, type?: string): void
  /**
   * What the plugin may ask of the host within this call: sessions and completions, for what it lists in
   * `hostCapabilities`. All of it ends with the call.
   */
  readonly session: AgentSessionClient
  /**
   * Hands a file to the host, which keeps it under a URL; needs the capability `host.upload`.
   *
   * @example
   * ```ts
   * const { url } = await ctx.uploadFile({ path: 'chart.png', mime: 'image/png', purpose: 'chart' })
   * ```
   */
  uploadFile(file: HostFile): Promise<KeptFile>
  /** What the plugin shows with requests of its own; `undefined` where it lists no `hostCapabilities`. */
  readonly samplingToken: string | undefined
}

/** Where a call gets its time and the timer of its deadline. */
export interface CallClock {
  /** Unix time in ms. */
  now(): number
  /** Calls `fn` once after `ms`; returns what takes the timer back. */
  setTimer(fn: () => void, ms: number): () => void
}

/** The clock of the process. */
export const processClock: CallClock = {
  now: () => Date.now(),
  setTimer(fn, ms) {
    const timer = setTimeout(fn, ms)
    return () => clearTimeout(timer)
  },
}

/** What a call is made of. */
export interface CallParts {
  readonly invokeId: string
  readonly deadlineMs: number
  readonly clock: CallClock
  readonly log: (...what: readonly unknown[]) => void
  readonly progress: (type: string, data: unknown) => void
  readonly samplingToken: string | undefined
  /** Takes the line of a request to the host. */
  readonly send: (line: string) => void
}

/** The longest wait one timer takes, in ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** One call under way: its signal, and the timer of its deadline, which begins when the signal is first wanted. */
export class OpenCall {
  readonly parts: CallParts
  #controller: AbortController | undefined
  #stopTimer = () => {}
  #cancelled: { readonly reason: unknown } | undefined
  #lapse: DOMException | undefined
  #isOver = false
  #session: AgentSessionClient | undefined

  constructor(parts: CallParts) {
    this.parts = parts
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#cancelled) this.#controller.abort(this.#cancelled.reason)
      else if (this.parts.deadlineMs !== Number.POSITIVE_INFINITY) this.#waitForDeadline()
    }
    return this.#controller.signal
  }

  /** The requests to the host; with the first one the deadline is waited for. */
  get session(): AgentSessionClient {
    if (!this.#session) {
      this.#session = new AgentSessionClient(this.parts)
      if (this.signal.aborted) this.#session.close(this.signal.reason)
      else if (this.#isOver) this.#session.close(ended())
    }
    return this.#session
  }

  /** Takes an answer of the host; whether a request of this call waited for it. */
  take(message: Readonly<Record<string, unknown>>): boolean {
    return this.#session?.dispatchResponse(message) ?? false
  }

  /** Nothing comes from the host any more: requests end, the call goes on. */
  cutOff(): void {
    this.session.close(new HostError('the host is gone', { name: 'cancelled' }))
  }

  remainingMs(): number {
    return Math.max(0, this.parts.deadlineMs - this.parts.clock.now())
  }

  /** Ends the signal; the first reason stays. */
  cancel(reason: unknown): void {
    this.#cancelled ??= { reason }
    this.#session?.close(this.#cancelled.reason)
    this.close()
    this.#controller?.abort(this.#cancelled.reason)
  }

  /** Whether an error is the one that the signal fired with at the deadline. */
  isLapse(error: unknown): boolean {
    return error !== undefined && error === this.#lapse
  }

  /** Whether an error only says that the call stopped when its signal told it to. */
  isStop(error: unknown): boolean {
    if (!this.#cancelled) return false
    const { reason } = this.#cancelled
    // What waits in Node's own functions is rejected with an error that names the reason as its cause.
    return error === reason || (error instanceof Error && error.cause === reason)
  }

  /** Drops the timer; from now on nobody wants to hear of the call. */
  close(): void {
    this.#isOver = true
    this.#stopTimer()
    this.#session?.close(ended())
  }

  progress(type: string, data: unknown): void {
    if (!this.#isOver) this.parts.progress(type, data)
  }

  #waitForDeadline(): void {
    const left = this.remainingMs()
    if (left > 0) {
      const ms = Math.min(left, LONGEST_TIMER_MS)
      this.#stopTimer = this.parts.clock.setTimer(() => this.#waitForDeadline(), ms)
      return
    }
    this.#lapse = new DOMException('The deadline of the call has passed.', 'TimeoutError')
    this.cancel(this.#lapse)
  }
}

const ended = () => new HostError('the call has ended', { name: 'cancelled' })

/**
 * What the author sees of a call. Each part comes into being when it is taken: most tools take little, and a call
 * costs that much less. Methods are bound, so `run: (args, { log }) => …` works.
 */
export class CallContext implements Context {
  readonly #call: OpenCall

  constructor(call: OpenCall) {
    this.#call = call
  }

  get invokeId(): string {
    return this.#call.parts.invokeId
  }

  get deadlineMs(): number {
    return this.#call.parts.deadlineMs
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }

  get remainingMs(): Context['remainingMs'] {
    return () => this.#call.remainingMs()
  }

  get log(): Context['log'] {
    return this.#call.parts.log
  }

  get emitProgress(): Context['emitProgress'] {
    return (data, type = 'progress') => this.#call.progress(type, data)
  }

  get session(): AgentSessionClient {
    return this.#call.session
  }

  get uploadFile(): Context['uploadFile'] {
    return (file) => this.#call.session.uploadFile(file)
  }

  get samplingToken(): string | undefined {
    return this.#call.parts.samplingToken
  }
}
