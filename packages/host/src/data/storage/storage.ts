import type { ArgsOut, Methods } from '@svc/contract'
import { persistentStorage } from './persistent.ts'
import { holdScope } from './scope.ts'
import type { Storage, StorageCaller } from './storage-caller.ts'
import { windowStateStorage } from './window-state.ts'

type WithScope = { readonly scope: ArgsOut<Methods['storage']['get']>['scope'] }

/** The two backends: the window's state in the harness, persistent storage elsewhere. */
const backends: { readonly [Name in StorageCaller['services']['settings']['storage']]: Storage } = {
  'window-state': windowStateStorage,
  persistent: persistentStorage,
}

/** The backend of this host, once the scope is granted. */
function backend({ services, install }: StorageCaller, { scope }: WithScope): Storage {
  holdScope(scope, install)
  return backends[services.settings.storage]
}

/** Storage as this host keeps it. */
export const storage: Storage = {
  get: (args, caller) => backend(caller, args).get(args, caller),
  set: (args, caller) => backend(caller, args).set(args, caller),
  delete: (args, caller) => backend(caller, args).delete(args, caller),
  list: (args, caller) => backend(caller, args).list(args, caller),
}
