/** Makes a queue that does one thing after the other; one that fails does not stop those behind it. */
export function openTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
