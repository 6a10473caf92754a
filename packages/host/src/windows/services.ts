import type { StoreRecord } from '@svc/state'
import type { InstallRow } from '../catalog/records.ts'
import type { MachineServices } from '../machines/services.ts'
import type { ErrorLog } from './error-log.ts'
import type { OpenWindows } from './open-windows.ts'

/** What windows need of the services below them. */
export type WindowNeeds = Pick<
  MachineServices,
  | 'clock'
  | 'newId'
  | 'limits'
  | 'log'
  | 'leaving'
  | 'store'
  | 'copies'
  | 'tokens'
  | 'events'
  | 'settings'
  | 'tickets'
  | 'underWay'
>

/** What windows need of the apps, which are a layer above them. */
export interface InstallFinder {
  /** The user's install of an app, installing a configured app on first sight; `null` when there is none. */
  installOf(userId: string, appId: string): Promise<StoreRecord<InstallRow> | null>
}

/** With the windows of users. */
export interface WindowServices extends MachineServices {
  readonly windows: OpenWindows
  readonly errorLog: ErrorLog
}
