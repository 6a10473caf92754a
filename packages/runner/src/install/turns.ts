/** Lets `most` run at once; the others wait for their turn, in order. */
export function openTurns(most: number) {
  const waiting: (() => void)[] = []
  let free = most

  const giveBack = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    /** Resolves at its turn with what gives it back, which is called once. */
    async take(): Promise<() => void> {
      if (free > 0) free -= 1
      else await new Promise<void>((go) => waiting.push(go))
      return giveBack
    },
  }
}
