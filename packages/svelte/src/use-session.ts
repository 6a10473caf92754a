import { type SessionOptions, svc } from '@svc/sdk'
import { createSessionView, type SessionView } from '@svc/sdk/state'
import { useShown } from './use-shown.ts'

/**
 * Returns a session of an agent as messages that grow while they stream, with `send`, `attach` and `cancel`. The first
 * `send` makes the session; with `appSessionUuid` it is found, with its history. Runs go on when the component is unmounted.
 *
 * @param options as those of `svc.agent.session`, read once.
 * @example
 * ```ts
 * const chat = useSession({ submode: 'auto' })
 * await chat.send('Hi')
 * ```
 */
export const useSession = (options: SessionOptions): SessionView => useShown(createSessionView(svc, options))
