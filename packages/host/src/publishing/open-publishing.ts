import { commitDraft, createPlug, mintDraft, sweepDrafts } from './drafts.ts'
import { editPlug, removePlug } from './edit.ts'
import { ownPlugs, versionsOf, visiblePlugs } from './lists.ts'
import { markVersion } from './mark.ts'
import { ownPlug, type PublishingParts } from './parts.ts'
import { previewVersion, publishVersion } from './publish.ts'
import type { Publishing } from './publishing.ts'
import { plugOf, versionOf } from './view.ts'

/** Opens publishing over a store; it opens nothing that would have to be closed. */
export function openPublishing(parts: PublishingParts): Publishing {
  return {
    mint: (userId, input) => mintDraft(parts, userId, input),
    commit: async (userId, draftId, input) => plugOf(await commitDraft(parts, userId, draftId, input)),
    create: async (userId, input) => plugOf(await createPlug(parts, userId, input)),
    own: (userId) => ownPlugs(parts, userId),
    get: async (userId, toolId) => plugOf(await ownPlug(parts, userId, toolId)),
    edit: async (userId, toolId, input) => plugOf(await editPlug(parts, userId, toolId, input)),
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
