import { isHostRpcError } from '@svc/sdk'

/** What a user can read of an error: what happened, its code where the host gave one, and what to do about it. */
export interface Trouble {
  readonly message: string
  readonly code?: string
  readonly hint?: string
  /** When a quota is free again, ISO 8601. */
  readonly resetsAt?: string
}

/** Reads an error of a call, or any other. */
export function readTrouble(error: unknown): Trouble {
  if (isHostRpcError(error)) {
    const { code, message, hint, details } = error
    const { resets_at: resetsAt } = details
    if (typeof resetsAt === 'string') return { code, message, resetsAt }
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** Shows an error in `place`, which is an alert to screen readers; `null` takes it away. */
export function showTrouble(place: HTMLElement, error: unknown): void {
  place.replaceChildren()
  place.hidden = error === null
  if (error === null) return
  const { code, message, hint, resetsAt } = readTrouble(error)
  place.className = 'trouble'
  place.role = 'alert'
  if (code !== undefined)
    place.append(Object.assign(document.createElement('code'), { textContent: code }), ' ')
  place.append(`${sentence(message)}${hint === undefined ? '' : ` ${sentence(hint)}`}`)
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
