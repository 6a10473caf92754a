/** Goes on with a value that may still be under way: no promise and no turn of the loop where it is there already. */
export function when<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}

/** Runs `work` and goes on with what it gave or what it threw, as `when` does: a promise only where it made one. */
export function attempt<T, R>(
  work: () => T | Promise<T>,
  then: (value: T) => R,
  failed: (error: unknown) => R,
): R | Promise<R> {
  let value: T | Promise<T>
  try {
    value = work()
  } catch (error) {
    return failed(error)
  }
  return value instanceof Promise ? value.then(then, failed) : then(value)
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

/** Runs `work`, and `end` when it is over, however it ended. */
export function lastly<T>(work: () => T | Promise<T>, end: () => void): T | Promise<T> {
  return attempt(
    work,
    (value) => {
      end()
      return value
    },
    (error) => {
      end()
      throw error
    },
  )
}
