import type { MachineServices } from './services.ts'

/** What runners need of the house. */
export type RunnerParts = Pick<
  MachineServices,
  'clock' | 'newId' | 'limits' | 'log' | 'store' | 'copies' | 'bus' | 'runner' | 'settings' | 'users'
> & {
  /** Ends or adopts the jobs of a machine that is revoked. Jobs stand above machines. */
  tend(userId: string, runnerId: string): Promise<void>
}
