import type { HostRpcError } from '../errors.ts'
import type { Svc } from '../svc.ts'

/**
 * Makes the setter of the window's title, which sends no title twice in a row. One that the host refuses is the document's
 * uncaught error; outside a host nothing happens.
 */
export function createTitle({ window }: Pick<Svc, 'window'>): (title: string) => Promise<void> {
  let sent: string | undefined
  return async (title) => {
    if (sent === title) return
    sent = title
    try {
      await window.set_title({ title })
    } catch (error) {
      if ((error as HostRpcError).code !== 'not_hosted') reportError(error)
    }
  }
}
