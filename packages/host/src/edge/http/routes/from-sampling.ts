import { refuse } from '@svc/contract'
import { fromSampling } from '../../../work/sampling/make-session.ts'
import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/**
 * A session for the plugin of a call under way: the sampling token of that call is the only authority, so
 * there is no cookie and no `Origin` to judge. The session's own token stays here.
 */
export const samplingHandlers = ({ services }: RouteParts): HandlersOf<'sessions.fromSampling'> => ({
  async 'sessions.fromSampling'({ json }) {
    const { sampling_token, ...order } = await json()
    if (typeof sampling_token !== 'string') throw refuse('invalid_token', 'sampling_token must be text')
    return fromSampling(services, sampling_token, order)
  },
})
