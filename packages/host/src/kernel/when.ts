/**
 * A value that is there, or a promise of it: what saves a call a turn of the loop for each step that waits for nothing.
 * Only the way of a call has it (docs/decisions/0071-promise-or-value.md); everything else awaits.
 */
export type MaybePromise<T> = T | Promise<T>

/** Continues with a value that may still be a promise: without a promise and a turn of the loop if it is not. */
export function when<T, R>(value: MaybePromise<T>, then: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** What `work` gives, or what `failed` makes of its throw or rejection: a promise only where `work` made one. */
export function attempt<T>(work: () => MaybePromise<T>, failed: (error: unknown) => T): MaybePromise<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** Continues with two values, either of which may still be a promise. */
export function both<A, B, R>(
  a: MaybePromise<A>,
  b: MaybePromise<B>,
  then: (a: A, b: B) => MaybePromise<R>,
): MaybePromise<R> {
  if (a instanceof Promise || b instanceof Promise) return Promise.all([a, b]).then(([a, b]) => then(a, b))
  return then(a, b)
}

/** Several values, of which any may still be under way. */
export function every<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some((one) => one instanceof Promise) ? Promise.all(values) : (values as readonly T[])
}
