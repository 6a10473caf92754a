import type { MachineServices } from '../machines/services.ts'
import type { ErrorLog } from './error-log.ts'
import type { Windows } from './windows.ts'

/** With the windows of users. */
export interface WindowServices extends MachineServices {
  readonly windows: Windows
  readonly errorLog: ErrorLog
}
