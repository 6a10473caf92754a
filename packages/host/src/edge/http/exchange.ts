/** One body under way on a call socket: whether anybody waits for its answer. */
export class Exchange {
  #isGone = false
  #controller: AbortController | undefined

  get isGone(): boolean {
    return this.#isGone
  }

  /** The signal of nobody waiting; made on demand, because most calls never look at it. */
  readonly gone = (): AbortSignal => {
    this.#controller ??= new AbortController()
    if (this.#isGone) this.#controller.abort()
    return this.#controller.signal
  }

  giveUp(): void {
    this.#isGone = true
    this.#controller?.abort()
  }
}
