import { collection } from '@svc/state'
import { insertWithRoom } from '../../kernel/room.ts'
import type { PluginServices } from '../services.ts'
import type { Credentials } from './credentials.ts'
import { credentialsOf } from './needs.ts'

/** That a user was asked for a credential. The record's id is `requestId`. */
export const credentialRequests = collection({
  name: 'credential_requests',
  row: {} as { readonly user_id: string; readonly asked_at: number },
  indexes: { byUser: (row) => [row.user_id, row.asked_at] },
})

const requestId = (userId: string, name: string) => JSON.stringify([userId, name])

/**
 * Credentials of a host without a place for them: one is granted where the operator gave it in the `env` of each
 * plugin that asks for it, or its user as a variable of that name, and stays pending once a user was asked.
 */
export function operatorCredentials({
  clock,
  limits,
  plugins,
  store,
}: Pick<PluginServices, 'clock' | 'limits' | 'plugins' | 'store'>): Credentials {
  const isGiven = async (userId: string, name: string) => {
    const known = await plugins.of({ userId, version: null })
    const asking = known.filter((plugin) => credentialsOf(plugin, limits).some((one) => one.name === name))
    return (
      asking.length > 0 &&
      asking.every(({ spec }) => Object.hasOwn(('command' in spec ? spec.env : spec.values) ?? {}, name))
    )
  }
  return {
    async status(userId, name) {
      if (await isGiven(userId, name)) return 'granted'
      return (await store.get(credentialRequests, requestId(userId, name))) ? 'pending' : 'missing'
    },
    async request(userId, name) {
      if (await isGiven(userId, name)) return 'granted'
      const cap = { index: 'byUser', eq: [userId], max: limits.CREDENTIAL_REQUESTS_PER_USER } as const
      await insertWithRoom(
        store,
        credentialRequests,
        requestId(userId, name),
        { user_id: userId, asked_at: clock.now() },
        {
          room: {
            cap,
            oldest: 'byUser',
            forget: ({ id, revision }) => store.remove(credentialRequests, id, revision),
          },
        },
      )
      return 'pending'
    },
  }
}
