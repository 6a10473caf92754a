import { frozenClock } from '@svc/node/testing'
import { memoryBus, memoryStore } from '@svc/state'
import { type JobBed, type JobBedOptions, type JobEvent, openJobBed, settled } from './jobs.ts'
import { openMachines } from './jobs-machines.ts'

/** Hosts over one store and bus, to each of which ada's machines may connect. */
export function openBeds(limits: JobBedOptions['limits'] = {}) {
  const machines = openMachines()
  const clock = frozenClock()
  const events: JobEvent[] = []
  const shared = { store: memoryStore(), bus: memoryBus({ clock }), clock, machines, events, limits }
  return { machines, clock, a: openJobBed(shared), b: openJobBed(shared) }
}
/** Where jobs stand, by their rows. */
export const statesOf = (bed: JobBed, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await bed.row(id)).state))
/** How many jobs a host holds, by its gauge. */
export const heldBy = async ({ metrics: { registry } }: JobBed) =>
  (await (await registry()).getSingleMetric('svc_jobs_active')?.get())?.values[0]?.value
/** Each link that a host ever had, with the jobs that were started on it. */
export const startedOn = (bed: JobBed) =>
  bed.runners.made.map(({ id, runner }) => [id, ...runner.started.map(({ jobId }) => jobId)])

/** Starts jobs on a machine, one after the other. */
export async function startSome(bed: JobBed, count: number, on = ['rnr_1']): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    ids.push(await bed.start({ on, timeoutMs: 60_000 }))
    await bed.clock.advance(1)
  }
  await settled()
  return ids
}
