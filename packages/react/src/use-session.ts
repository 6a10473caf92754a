import { type SessionOptions, svc } from '@svc/sdk'
import { createSessionView, type SessionView } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns a session of an agent as messages that grow while they stream, with `send`, `attach` and `cancel`. The first
 * `send` makes the session; with `appSessionUuid` it is found, with its history. An unmount leaves runs to the host.
 *
 * @param options as those of `svc.agent.session`. They are read once: give the component a `key` to show another session.
 * @example
 * ```tsx
 * const { messages, state, send, cancel } = useSession({ submode: 'auto' })
 * return <>
 *   {messages.map((message) => <p key={message.id}>{message.text}</p>)}
 *   <button onClick={() => (state === 'running' ? cancel() : send('Hi'))}>{state}</button>
 * </>
 * ```
 */
export function useSession(options: SessionOptions): SessionView {
  return useShown(() => createSessionView(svc, options), [])
}
