import type { PlugRecord } from '../../catalog/plug-row.ts'
import { openInFlight } from '../../kernel/inflight.ts'
import { contentOfLive } from '../deployments/content.ts'
import { describePlugin } from './describe.ts'
import { commitDraft, createPlug, mintDraft, sweepDrafts } from './drafts.ts'
import { editPlug, removePlug } from './edit.ts'
import { ownPlugs, versionsOf, visiblePlugs } from './lists.ts'
import { markVersion } from './mark.ts'
import { ownPlug, type PublishingParts, standingOf } from './parts.ts'
import { bodies, readBody } from './plug-input.ts'
import { previewVersion, publishVersion } from './publish.ts'
import type { Publishing } from './publishing.ts'
import { plugOf, versionOf } from './view.ts'

/** Opens publishing over a store; it opens nothing that would have to be closed. */
export function openPublishing(services: Omit<PublishingParts, 'describing' | 'startedAt'>): Publishing {
  const describing = openInFlight(services.limits.DESCRIBES_PER_USER)
  const parts = { ...services, describing, startedAt: services.clock.now() }
  const shown = async (making: Promise<PlugRecord>) => {
    const plug = await making
    const { owner } = plug.row
    return plugOf(plug, standingOf(parts, owner, contentOfLive(plug.id, plug.row, parts.limits)))
  }
  return {
    mint: (userId, input) => mintDraft(parts, userId, input),
    commit: (userId, draftId, input, { signal } = {}) =>
      shown(commitDraft(parts, userId, draftId, input, signal)),
    create: (userId, input, { signal } = {}) => shown(createPlug(parts, userId, input, signal)),
    async describe(userId, input, { signal } = {}) {
      const { distribution } = readBody(bodies.describe, input)
      return { manifest: await describePlugin(parts, userId, distribution, signal) }
    },
    own: (userId) => ownPlugs(parts, userId),
    get: (userId, toolId) => shown(ownPlug(parts, userId, toolId)),
    edit: (userId, toolId, input) => shown(editPlug(parts, userId, toolId, input)),
    remove: (userId, toolId) => removePlug(parts, userId, toolId),
    visible: (userId, input) => visiblePlugs(parts, userId, input),
    publish: async (userId, toolId, input) => versionOf(await publishVersion(parts, userId, toolId, input)),
    preview: (userId, toolId, input) => previewVersion(parts, userId, toolId, input),
    versions: async (userId, toolId) => (await versionsOf(parts, userId, toolId)).map(versionOf),
    mark: async (userId, toolId, version, input) =>
      versionOf(await markVersion(parts, userId, toolId, version, input)),
    sweep: () => sweepDrafts(parts),
  }
}
