import type { MachineServices } from './services.ts'

/** What runners need of the host's services. */
export type RunnerParts = Pick<
  MachineServices,
  'clock' | 'newId' | 'limits' | 'log' | 'store' | 'copies' | 'bus' | 'runner' | 'settings' | 'users'
> & {
  /** Ends or adopts the jobs of a machine that is revoked. Jobs stand above machines. */
  reconcile(userId: string, runnerId: string): Promise<void>
}
