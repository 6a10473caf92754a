/** Goes on with a value that may still be under way: no promise and no turn of the loop where it is there already. */
export function when<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value)
}
