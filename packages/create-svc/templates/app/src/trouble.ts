import { isHostRpcError } from '@svc/sdk'

/** What is shown of an error: sentences for the user, and its code for whoever looks into the page. */
export interface Trouble {
  readonly text: string
  readonly code?: string
}

/** Reads an error of a call, or any other. */
export function readTrouble(error: unknown): Trouble {
  if (isHostRpcError(error)) {
    const { code, message, hint } = error
    return { code, text: [message, hint ?? ''].filter(Boolean).map(sentence).join(' ') }
  }
  return { text: sentence(error instanceof Error ? error.message : String(error)) }
}

/** Shows an error in `place`, which is an alert to screen readers; `null` takes it away. */
export function showTrouble(place: HTMLElement, error: unknown): void {
  place.replaceChildren()
  place.hidden = error === null
  if (error === null) return
  const { code, text } = readTrouble(error)
  place.className = 'trouble'
  place.role = 'alert'
  place.dataset.code = code ?? ''
  place.append(text)
}

/** Ends with a full stop. The beginning is left as it is: it may be a name, of a file or a method. */
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
