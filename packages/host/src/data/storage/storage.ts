import type { ArgsOut, Handlers, Methods } from '@svc/contract'
import type { InstallRow } from '../../catalog/records.ts'
import type { JsonText } from '../../kernel/json.ts'
import type { KernelServices } from '../../kernel/services.ts'
import { persistentStorage } from './persistent.ts'
import { checkScope } from './space.ts'
import { windowStateStorage } from './window-state.ts'

/** Whose storage: of a user, an app and a window of it. */
export interface StorageCaller {
  readonly services: Pick<KernelServices, 'clock' | 'limits' | 'store'> & {
    readonly settings: Pick<KernelServices['settings'], 'storage'>
  }
  readonly userId: string
  readonly window: { readonly id: string; readonly row: { readonly app_id: string } }
  readonly install: Pick<InstallRow, 'grants'>
}

/** Storage: what the methods of `storage.*` and the tools of sessions do with it. A value is read as its text. */
export type Storage = Omit<Handlers<'storage', StorageCaller>, 'get'> & {
  get(...given: Parameters<Handlers<'storage', StorageCaller>['get']>): Promise<JsonText>
}

type WithScope = { readonly scope: ArgsOut<Methods['storage']['get']>['scope'] }

/** The two backends: the window's state in the harness, persistent storage elsewhere. */
const backends: { readonly [Name in StorageCaller['services']['settings']['storage']]: Storage } = {
  'window-state': windowStateStorage,
  persistent: persistentStorage,
}

/** The backend of this host, once the scope is granted. */
function backend({ services, install }: StorageCaller, { scope }: WithScope): Storage {
  checkScope(scope, install)
  return backends[services.settings.storage]
}

/** Storage as this host keeps it. */
export const storage: Storage = {
  get: (args, caller) => backend(caller, args).get(args, caller),
  set: (args, caller) => backend(caller, args).set(args, caller),
  delete: (args, caller) => backend(caller, args).delete(args, caller),
  list: (args, caller) => backend(caller, args).list(args, caller),
}
