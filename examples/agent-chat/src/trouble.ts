import { isHostRpcError } from '@svc/sdk'

/** What is shown of an error: sentences for the user, and its code for whoever looks into the page. */
interface Trouble {
  readonly text: string
  readonly code?: string
  /** When a quota is free again, ISO 8601. */
  readonly resetsAt?: string
}

/** Reads an error of a call, or any other. */
function readTrouble(error: unknown): Trouble {
  if (isHostRpcError(error)) {
    const { code, message, hint, details } = error
    const { resets_at: resetsAt } = details
    if (typeof resetsAt === 'string') return { code, text: sentence(message), resetsAt }
    return { code, text: [message, hint ?? ''].filter(Boolean).map(sentence).join(' ') }
  }
  return { text: sentence(error instanceof Error ? error.message : String(error)) }
}

/** Shows an error in `place`, which is an alert to screen readers; `null` takes it away. */
export function showTrouble(place: HTMLElement, error: unknown): void {
  place.replaceChildren()
  place.hidden = error === null
  if (error === null) return
  const { code, text, resetsAt } = readTrouble(error)
  place.className = 'trouble'
  place.role = 'alert'
  place.dataset.code = code ?? ''
  place.append(text)
  if (resetsAt !== undefined) place.append(' You can go on from ', timeOf(resetsAt), '.')
}

/** A time on the user's own clock. */
const timeOf = (iso: string) =>
  Object.assign(document.createElement('time'), {
    dateTime: iso,
    textContent: new Date(iso).toLocaleString(document.documentElement.lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
    }),
  })

/** Ends with a full stop. The beginning is left as it is: it may be a name, of a file or a method. */
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
