import type { HostContext } from '@svc/contract/wire'
import type { Hello } from '../connection.ts'
import type { HostRpcError } from '../errors.ts'
import type { Svc } from '../svc.ts'
import { createState, type OwnState, type State } from './state.ts'

/** Whether the document is in a host, and what it knows of its surroundings. */
export interface ConnectionState {
  /** `failed`: no host answers, as in a tab of its own; `disconnected`: the page is gone, and the next call connects anew. */
  readonly state: 'connecting' | 'connected' | 'disconnected' | 'failed'
  /** Window, app, view and payload of this document, once it was connected. */
  readonly hello: Hello | undefined
  /** The page's theme, language, focus and styles, once the page has said them. */
  readonly context: HostContext | undefined
  /** Why it is not connected: `not_hosted` where there is no host. */
  readonly error: HostRpcError | undefined
}

/** Makes the state of the connection: the first subscriber connects the document. */
export function createConnectionState(svc: Pick<Svc, 'ready' | 'on' | 'context'>): State<ConnectionState> {
  const state: OwnState<ConnectionState> = createState<ConnectionState>(
    { state: 'connecting', hello: undefined, context: undefined, error: undefined },
    () => {
      const greet = () =>
        svc.ready.then(
          (hello) => change({ state: 'connected', hello, error: undefined }),
          (error) => change({ state: 'failed', error }),
        )
      const stops = [
        svc.on('context', (context) => change({ context })),
        svc.on('connected', greet),
        svc.on('disconnected', () => change({ state: 'disconnected' })),
      ]
      void greet()
      change({ context: svc.context })
      return () => {
        for (const stop of stops) stop()
      }
    },
  )
  const { change } = state
  return state
}
