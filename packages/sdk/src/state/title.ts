import type { HostRpcError } from '../errors.ts'
import type { Svc } from '../svc.ts'

/**
 * Makes the setter of the window's title, which sends no title twice in a row. One that is empty or too long is the
 * document's uncaught error. Outside a host, and while the host is gone, nothing happens until the next title.
 */
export function createTitle({ window }: Pick<Svc, 'window'>): (title: string) => Promise<void> {
  let sent: string | undefined
  return async (title) => {
    if (sent === title) return
    sent = title
    await window.set_title({ title }).catch((error: HostRpcError) => {
      if (error.code === 'invalid_arg') reportError(error)
    })
  }
}
