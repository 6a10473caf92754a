/** Does one work after another: each begins when the one before is over, however that one ended. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Makes a row of works. `onBusy` is told when the first begins and when none is left. */
export function createTurns(onBusy: (busy: boolean) => void = () => undefined): Turns {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  return (work) => {
    if (waiting++ === 0) onBusy(true)
    const mine = last.then(work).finally(() => {
      if (--waiting === 0) onBusy(false)
    })
    last = mine.catch(() => undefined)
    return mine
  }
}
