/** Goes on with a value that may still be under way: no promise and no turn of the loop where it is there already. */
export function when<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** What `work` gives, or what `failed` makes of its throw or rejection: a promise only where `work` made one. */
export function attempt<T>(work: () => T | Promise<T>, failed: (error: unknown) => T): T | Promise<T> {
  try {
    const value = work()
    return value instanceof Promise ? value.catch(failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** Goes on with two values, either of which may still be under way. */
export function both<A, B, R>(
  a: A | Promise<A>,
  b: B | Promise<B>,
  then: (a: A, b: B) => R | Promise<R>,
): R | Promise<R> {
  if (a instanceof Promise || b instanceof Promise) return Promise.all([a, b]).then(([a, b]) => then(a, b))
  return then(a, b)
}
