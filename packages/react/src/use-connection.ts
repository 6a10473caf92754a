import { svc } from '@svc/sdk'
import { type ConnectionState, createConnectionState } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns whether the document is in a host, its hello (window, app, view, payload), and the page's theme, language, focus
 * and styles as `context`. The mount connects the document.
 *
 * @example
 * ```tsx
 * const { state, hello, context } = useConnection()
 * if (state === 'failed') return <p>Open this app in its host.</p>
 * return <main data-theme={context?.theme}>{hello?.view_meta.name}</main>
 * ```
 */
export function useConnection(): ConnectionState {
  return useShown(() => createConnectionState(svc), [])
}
