import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { expect } from 'vitest'
import { plugs, reservations, snapshots } from '../../catalog/plug-row.ts'
import { named, npm, publishingBed, skill, tool, weather } from '../../testing/publishing.ts'
import { refusal } from '../../testing/services.ts'

type Bed = ReturnType<typeof publishingBed>

/** Plugins and versions, drafts. */
async function kept({ store }: Bed) {
  const all = { limit: 1_000 }
  return {
    plugs: (await store.scan(plugs, 'madeBy', all)).rows.length,
    versions: (await store.scan(snapshots, 'byPlug', all)).rows.length,
    drafts: (await store.scan(reservations, 'byOwner', all)).rows.length,
  }
}
const publish = ({ publishing }: Bed) => publishing.create('ada', { ...named, ...tool, visibility: 'public' })

verifies('kept.plugs', 'a removed plugin goes with its versions after its time, not before', async () => {
  const bed = publishingBed()
  const { tool_id } = await publish(bed)
  await publish(bed)
  await bed.publishing.remove('ada', tool_id)
  await bed.clock.advance(limits.PLUG_REMOVED_KEPT_MS - 1)
  await bed.publishing.sweep()
  expect(await kept(bed)).toEqual({ plugs: 2, versions: 2, drafts: 0 })
  await bed.clock.advance(1)
  await bed.publishing.sweep()
  expect(await kept(bed)).toEqual({ plugs: 1, versions: 1, drafts: 0 })
  expect(await refusal(bed.publishing.get('ada', tool_id))).toMatch(/^not_found: /)
})

verifies('kept.plugs', 'who makes and removes plugins all day is kept the last removed ones', async () => {
  const bed = publishingBed({ limits: { PLUGS_PER_USER: 2, PLUGS_REMOVED_PER_USER: 3 } })
  const { tool_id } = await publish(bed)
  for (let at = 0; at < 12; at += 1) {
    await bed.clock.advance(1)
    await bed.publishing.remove('ada', (await publish(bed)).tool_id)
  }
  expect(await kept(bed)).toEqual({ plugs: 5, versions: 5, drafts: 0 })
  expect((await bed.publishing.get('ada', tool_id)).tool_id).toBe(tool_id)
})

verifies('kept.plugs', 'who mints and commits all day is kept the last drafts', async () => {
  const bed = publishingBed({ limits: { DRAFTS_PER_USER: 2, DRAFTS_ENDED_PER_USER: 3 } })
  const waiting = await bed.publishing.mint('ada', { name: 'Poems', type: 'skill' })
  for (let at = 0; at < 12; at += 1) {
    await bed.clock.advance(1)
    const { draft_id } = await bed.publishing.mint('ada', named)
    const { tool_id } = await bed.publishing.commit('ada', draft_id, tool)
    await bed.publishing.remove('ada', tool_id)
  }
  expect(await kept(bed)).toMatchObject({ drafts: 5 })
  await bed.publishing.commit('ada', waiting.draft_id, skill)
})

verifies('kept.plugs', 'the versions of all plugins of a user have so many bytes', async () => {
  const bed = publishingBed({ limits: { PLUG_VERSIONS_BYTES_PER_USER: 10_000 } })
  const long = (at: number) => ({ manifest: weather(`${at}${'x'.repeat(3_000)}`), distribution: npm })
  const { tool_id } = await bed.publishing.create('ada', { ...named, ...long(0), visibility: 'public' })
  await bed.publishing.publish('ada', tool_id, long(1))
  await bed.publishing.create('ada', { ...named, ...long(2), visibility: 'public' })
  const refused = await refusal(bed.publishing.publish('ada', tool_id, long(3)))
  expect(refused).toMatch(
    /^quota_exceeded: a version whose manifest has 3\d{3} bytes does not fit: the versions of all plugins of a user may have at most 10000 bytes of manifests$/,
  )
  await bed.publishing.create('eve', { ...named, ...long(4), visibility: 'public' })
  await bed.publishing.remove('ada', tool_id)
  await bed.clock.advance(limits.PLUG_REMOVED_KEPT_MS)
  await bed.publishing.sweep()
  await bed.publishing.create('ada', { ...named, ...long(5), visibility: 'public' })
})
