import { type MaybePromise, when } from '../../kernel/when.ts'

/** Calls `fn` when texts have waited long enough for others; what it returns takes that back. */
type Patience = (fn: () => void) => () => void

/**
 * The answers to an array body as lines, in the order in which they become ready. A text waits for others as long as
 * `patience` says, or until none is missing: a write and its reading cost more than an answer.
 */
export async function* asReady(
  answers: readonly MaybePromise<string>[],
  patience: Patience,
): AsyncGenerator<string> {
  let ready = ''
  let left = answers.length
  let stop: (() => void) | undefined
  let due = false
  let leave: () => void = () => {}
  const wake = () => {
    due = true
    leave()
  }
  const take = (text: string) => {
    ready += `${text}\n`
    left -= 1
    if (left === 0) wake()
    else stop ??= patience(wake)
  }
  for (const answer of answers) when(answer, take)
  try {
    while (left > 0) {
      if (!due)
        await new Promise<void>((resolve) => {
          leave = resolve
        })
      stop?.()
      stop = undefined
      due = false
      const text = ready
      ready = ''
      yield text
    }
    if (ready !== '') yield ready
  } finally {
    stop?.()
  }
}
