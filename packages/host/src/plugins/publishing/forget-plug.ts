import { each, eachSettled } from '@svc/state'
import { type PlugRecord, plugs, snapshots } from '../../catalog/plug-row.ts'
import { forgetValues } from '../../catalog/plug-values.ts'
import type { PluginServices } from '../services.ts'
import { dropCopies } from './snapshots.ts'

/** Forgets a plugin that was removed, with its versions: these first, so that one that breaks off is taken up again. */
export async function forgetPlug(
  { copies, store }: Pick<PluginServices, 'copies' | 'store'>,
  { id }: Pick<PlugRecord, 'id'>,
): Promise<void> {
  await eachSettled(each(store, snapshots, 'byPlug', { eq: [id] }), async (version) => {
    await store.remove(snapshots, version.id, version.revision)
    dropCopies(copies, version)
  })
  await forgetValues({ copies, store }, id)
  const removed = await store.get(plugs, id)
  if (removed) await store.remove(plugs, id, removed.revision)
  copies.plugs.drop(id)
}

/** Forgets the plugins that were removed `PLUG_REMOVED_KEPT_MS` ago. */
export async function forgetRemoved(
  services: Pick<PluginServices, 'clock' | 'copies' | 'limits' | 'store'>,
): Promise<void> {
  const { clock, limits, store } = services
  const range = { to: clock.now() - limits.PLUG_REMOVED_KEPT_MS, limit: limits.CLEAN_RECORDS_MAX }
  await eachSettled(each(store, plugs, 'removedAt', range), (plug) => forgetPlug(services, plug))
}
