import { HostRpcError, type JobSnapshot, type JobState } from '@svc/sdk'
import type { Progress, Report } from '../plugin/report.ts'
import { createBar } from './bar.ts'
import { createCancelBox } from './cancel-box.ts'
import { formatCount, formatTime } from './format.ts'
import { make } from './make.ts'
import { showTrouble } from './trouble.ts'

/** How a user reads each state. */
const words: Record<JobState, string> = {
  queued: 'waits for a place',
  running: 'at work',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'out of time',
}

/** What a card can have done. */
export interface CardActions {
  cancel(reason: string | undefined): Promise<unknown>
  show(): void
}

/** One job on the page. */
export interface Card {
  readonly element: HTMLLIElement
  /** Shows the job as it is. */
  show(job: JobSnapshot): void
  /** Shows how far a running job is. */
  tell(progress: Progress): void
  /** The state in a sentence, for who hears it. */
  sentence(): string
}

/** Makes the card of a job; `name` says what it is about. */
export function createCard(name: string, { cancel, show }: CardActions): Card {
  const state = make('span', { className: 'state' })
  const facts = make('span', { className: 'soft facts' })
  const outcome = make('div', { hidden: true })
  const button = make(
    'button',
    { type: 'button', ariaLabel: `Show the index of ${name}`, onclick: show },
    'Show',
  )
  const bar = createBar(name)
  const box = createCancelBox(name, cancel)
  const head = make('div', { className: 'line' }, make('strong', {}, name), state, facts, button)
  const element = make('li', { className: 'job', tabIndex: -1 }, head, bar.element, box.element, outcome)

  const turn = (to: JobState) => {
    element.dataset.state = to
    state.textContent = words[to]
  }

  return {
    element,
    show(job) {
      const isOver = job.endedAt !== null
      const hadFocus = box.element.contains(document.activeElement)
      turn(job.state)
      facts.textContent = factsOf(job)
      bar.element.hidden = isOver
      box.element.hidden = isOver
      button.hidden = job.state !== 'succeeded'
      showOutcome(outcome, job)
      // Who pressed a button that is gone now must not be thrown to the top of the page.
      if (hadFocus && isOver) element.focus()
    },
    tell(progress) {
      turn('running')
      bar.tell(progress)
    },
    sentence: () => [name, state.textContent, outcome.textContent].filter(Boolean).join(': '),
  }
}

/** When it was asked for, how long it took, and what came out. */
function factsOf({ createdAt, startedAt, endedAt, result }: JobSnapshot): string {
  const locale = document.documentElement.lang
  const found = (result as Report | undefined)?.facts
  const ms = endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt ?? createdAt)
  return [
    new Date(createdAt).toLocaleTimeString(locale),
    ...(ms === null ? [] : [`took ${formatTime(ms)}`]),
    ...(found
      ? [`${formatCount(found.files, locale)} texts`, `${formatCount(found.comparisons, locale)} comparisons`]
      : []),
  ].join(' · ')
}

/** Why there is no result, where a job ended without one; a cancel is what somebody wanted, and no trouble. */
function showOutcome(place: HTMLElement, { state, error }: JobSnapshot): void {
  if (state === 'cancelled') {
    place.className = 'soft'
    place.hidden = false
    place.textContent = error?.message === 'cancelled' ? 'No reason was given.' : `Reason: ${error?.message}`
  } else showTrouble(place, error ? new HostRpcError({ ...error, details: error.details ?? {} }) : null)
}
