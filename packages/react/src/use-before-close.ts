import { type BeforeClose, svc } from '@svc/sdk'
import { useEffect } from 'react'

/**
 * Asks a handler before the user closes the window: `false`, or a promise of it, keeps the window open. The page waits
 * 1 s. `svc.window.close()` closes the window without asking.
 *
 * @example
 * ```tsx
 * useBeforeClose(() => state !== 'saving')
 * ```
 */
export function useBeforeClose(handler: BeforeClose): void {
  useEffect(() => svc.onBeforeClose(handler), [handler])
}
