import { type ArgsOut, type Handlers, type Methods, refuse } from '@svc/contract'
import { persistentStorage } from '../storage/persistent.ts'
import { windowStateStorage } from '../storage/window-state.ts'
import type { CallContext } from './context.ts'

type Storage = Handlers<'storage', CallContext>
type Scoped = { readonly scope: ArgsOut<Methods['storage']['get']>['scope'] }

/** The two backends (spec §4.2): the window's state in the harness, persistent storage elsewhere. */
const backends: { readonly [Name in CallContext['house']['settings']['storage']]: Storage } = {
  'window-state': windowStateStorage,
  persistent: persistentStorage,
}

/** The backend of this host, once the scope is granted (spec §5.4 b, decision 32c). */
function backend({ house, install }: CallContext, { scope }: Scoped): Storage {
  if (scope === 'shared' && !install.grants.allowed_scopes?.includes('shared'))
    throw refuse('permission_denied', 'the scope "shared" is not granted to this app', {
      denied_by: 'grant',
      hint: 'Install the app with allowed_scopes: ["shared"].',
    })
  return backends[house.settings.storage]
}

/** Handlers of `storage.*`. */
export const storage: Storage = {
  get: (args, context) => backend(context, args).get(args, context),
  set: (args, context) => backend(context, args).set(args, context),
  delete: (args, context) => backend(context, args).delete(args, context),
  list: (args, context) => backend(context, args).list(args, context),
}
