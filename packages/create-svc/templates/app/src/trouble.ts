import { isHostRpcError } from '@svc/sdk'

/** What a user can read of an error: what happened, its code where the host gave one, and what to do about it. */
export interface Trouble {
  readonly message: string
  readonly code?: string
  readonly hint?: string
}

/** Reads an error of a call, or any other. */
export function readTrouble(error: unknown): Trouble {
  if (isHostRpcError(error)) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  return { message: error instanceof Error ? error.message : String(error) }
}

/** Shows an error in `place`, which is an alert to screen readers; `null` takes it away. */
export function showTrouble(place: HTMLElement, error: unknown): void {
  place.replaceChildren()
  place.hidden = error === null
  if (error === null) return
  const { code, message, hint } = readTrouble(error)
  place.className = 'trouble'
  place.role = 'alert'
  if (code !== undefined)
    place.append(Object.assign(document.createElement('code'), { textContent: code }), ' ')
  place.append(`${sentence(message)}${hint === undefined ? '' : ` ${sentence(hint)}`}`)
}

/** Ends with a full stop. The beginning is left as it is: it may be a name, of a file or a method. */
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)
