import { make } from './make.ts'
import { onEnter } from './on-enter.ts'

/** Characters that a host takes as a reason (`CANCEL_REASON_MAX_CHARS`). */
const REASON_MAX_CHARS = 200

/** What cancels a job: a button that asks for the reason first, which may stay empty. Escape lets the job run. */
export function createCancelBox(
  name: string,
  cancel: (reason: string | undefined) => Promise<unknown>,
): { readonly element: HTMLElement } {
  const reason = make('input', {
    maxLength: REASON_MAX_CHARS,
    placeholder: 'Reason (optional)',
    ariaLabel: `Why cancel ${name}?`,
  })
  const doIt = make('button', { type: 'button', className: 'bad' }, 'Cancel the job')
  const keep = make('button', { type: 'button' }, 'Let it run')
  const ask = make('button', { type: 'button', ariaLabel: `Cancel ${name} …` }, 'Cancel …')
  const question = make('div', { className: 'line', hidden: true }, reason, doIt, keep)

  const turn = (isAsked: boolean) => {
    question.hidden = !isAsked
    ask.hidden = isAsked
    if (isAsked) reason.focus()
    else ask.focus()
  }
  ask.onclick = () => turn(true)
  keep.onclick = () => turn(false)
  onEnter(reason, () => doIt.click())
  question.onkeydown = ({ key }) => {
    if (key === 'Escape') turn(false)
  }
  doIt.onclick = async () => {
    doIt.disabled = true
    const text = reason.value.trim()
    await cancel(text === '' ? undefined : text)
    doIt.disabled = false
  }
  return { element: make('div', { className: 'cancel' }, ask, question) }
}
