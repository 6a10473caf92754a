import { readTrouble } from './trouble.ts'

/** A list that shows calls with their answers, newest first. */
export interface CallLog {
  /** Makes a call and shows it with its answer or error and the time it took; answers `undefined` when it failed. */
  run<Result>(what: string, call: () => Promise<Result>): Promise<Result | undefined>
  /** Shows an event. */
  event(type: string, payload: object): void
}

const ROWS_MAX = 100

/** Keeps the list in `place`. */
export function createCallLog(place: HTMLElement): CallLog {
  // What scrolls must be in reach of the keyboard, in browsers that do not see to it themselves too.
  place.tabIndex = 0

  function row(kind: string, what: string, beside: string, answer: string): void {
    const line = document.createElement('li')
    line.className = kind
    line.append(span('what', what), span('soft', beside), span('answer', answer))
    place.prepend(line)
    place.children[ROWS_MAX]?.remove()
  }

  return {
    async run(what, call) {
      const from = performance.now()
      const took = () => `${(performance.now() - from).toFixed(1)} ms`
      try {
        const result = await call()
        row('done', what, took(), JSON.stringify(result))
        return result
      } catch (error) {
        const { code, text } = readTrouble(error)
        row('failed', what, took(), [code, text].filter(Boolean).join(' · '))
        return undefined
      }
    },
    event: (type, payload) => row('event', type, 'event', JSON.stringify(payload)),
  }
}

const span = (className: string, textContent: string) =>
  Object.assign(document.createElement('span'), { className, textContent })
