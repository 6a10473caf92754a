import type { Handlers } from '@svc/contract'
import type { InstallRow } from '../../catalog/records.ts'
import type { JsonText } from '../../kernel/json/json-text.ts'
import type { KernelServices } from '../../kernel/services.ts'

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
