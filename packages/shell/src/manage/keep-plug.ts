import type { Visibility } from '@svc/contract'
import type { Mark } from '../state/manage-api.ts'
import { type ManageState, without } from '../state/manage-state.ts'
import { manifestText } from '../state/manifest-text.ts'
import type { DeskParts } from '../state/parts.ts'
import type { OwnPlug } from '../state/plug.ts'
import { bodyOf, fieldsOf, isSaved, type PlugFields } from '../state/plug-form.ts'
import { distributionOf } from '../state/read-distribution.ts'
import { visibilityRows } from './visibility.ts'
import { change, doing, forget, type WorkResult } from './work.ts'

/** The names under which the page of an own plugin has things done. */
export const ownWork = {
  describe: (toolId: string) => `describe ${toolId}`,
  save: (toolId: string) => `save ${toolId}`,
  show: (toolId: string) => `show ${toolId}`,
  preview: (toolId: string) => `preview ${toolId}`,
  publish: (toolId: string) => `publish ${toolId}`,
  mark: (toolId: string, version: string) => `mark ${toolId} ${version}`,
  remove: (toolId: string) => `remove ${toolId}`,
} as const

/** What the owner of a plugin can do with it. */
export interface PlugKeeper {
  /** Types; what is as the host has it is not kept as typed. */
  edit(toolId: string, how: (fields: PlugFields) => Partial<PlugFields>): void
  discard(toolId: string): void
  describe(toolId: string): Promise<boolean>
  save(toolId: string): Promise<boolean>
  /** Chooses who is to see it; `show` does it. */
  want(toolId: string, visibility: Visibility): void
  show(toolId: string): Promise<boolean>
  /** Names the next version; no letters: the host counts on. */
  typeVersion(toolId: string, version: string): void
  /** Looks at what it would be. */
  preview(toolId: string): Promise<boolean>
  publish(toolId: string): Promise<boolean>
  /** Puts the difference away. */
  leavePreview(toolId: string): void
  mark(toolId: string, version: string, mark: Mark): Promise<boolean>
  remove(toolId: string): Promise<boolean>
}

/** Makes the keeper. `read`: has the lists and versions read again. */
export function plugKeeper(parts: DeskParts, read: () => void): PlugKeeper {
  const { store } = parts
  const api = parts.api.manage
  const plugOf = (toolId: string) => store.get().manage.plugs[toolId]
  const typedOf = ({ edits, plugs }: ManageState, toolId: string) => {
    const plug = plugs[toolId]
    return edits[toolId] ?? (plug && fieldsOf(plug))
  }
  const known = (plug: OwnPlug) => (manage: ManageState) => ({
    plugs: { ...manage.plugs, [plug.tool_id]: { ...manage.plugs[plug.tool_id], ...plug } },
  })

  function typed(toolId: string, how: (fields: PlugFields) => Partial<PlugFields>): WorkResult['change'] {
    return (manage) => {
      const fields = typedOf(manage, toolId)
      const plug = manage.plugs[toolId]
      if (!fields || !plug) return {}
      const next = { ...fields, ...how(fields) }
      const rest = without(manage.edits, toolId)
      return { edits: isSaved(plug, next) ? rest : { ...rest, [toolId]: next } }
    }
  }

  const leavePreview = (toolId: string): void => {
    change(parts, ({ previews }) => ({ previews: without(previews, toolId) }))
    forget(parts, ownWork.publish(toolId))
  }

  async function thenRead(work: Promise<boolean>): Promise<boolean> {
    const done = await work
    if (done) read()
    return done
  }
  function asked(toolId: string): { readonly version?: string } {
    const version = store.get().manage.nextVersions[toolId]?.trim() ?? ''
    return version === '' ? {} : { version }
  }

  return {
    edit: (toolId, how) => change(parts, typed(toolId, how)),
    discard(toolId) {
      change(parts, ({ edits }) => ({ edits: without(edits, toolId) }))
      forget(parts, ownWork.save(toolId))
      forget(parts, ownWork.describe(toolId))
    },
    describe: (toolId) =>
      doing(parts, ownWork.describe(toolId), async () => {
        const fields = typedOf(store.get().manage, toolId)
        if (!fields) return { change: () => ({}) }
        const manifest = manifestText(await api.describe(distributionOf(fields.distribution)))
        return { change: typed(toolId, () => ({ manifest })), said: 'The plugin described itself' }
      }),
    save: (toolId) =>
      thenRead(
        doing(parts, ownWork.save(toolId), async () => {
          const { edits } = store.get().manage
          const [fields, plug] = [edits[toolId], plugOf(toolId)]
          if (!fields || !plug) return { change: () => ({}) }
          const saved = await api.edit(toolId, { name: fields.name.trim(), ...bodyOf(plug.type, fields) })
          return {
            change: (manage) => ({
              ...known(saved)(manage),
              // What was typed while the host wrote stays.
              ...(manage.edits[toolId] === fields && { edits: without(manage.edits, toolId) }),
              previews: without(manage.previews, toolId),
            }),
            said: `${saved.name} was saved`,
          }
        }),
      ),
    want: (toolId, visibility) =>
      change(parts, ({ wanted }) => ({ wanted: { ...wanted, [toolId]: visibility } })),
    show: (toolId) =>
      thenRead(
        doing(parts, ownWork.show(toolId), async () => {
          const visibility = store.get().manage.wanted[toolId]
          const plug = await api.edit(toolId, { ...(visibility && { visibility }) })
          return {
            change: (manage) => ({ ...known(plug)(manage), wanted: without(manage.wanted, toolId) }),
            said: `${plug.name} is ${visibilityRows[plug.visibility].label.toLowerCase()}`,
          }
        }),
      ),
    typeVersion(toolId, version) {
      leavePreview(toolId)
      change(parts, ({ nextVersions }) => ({ nextVersions: { ...nextVersions, [toolId]: version } }))
    },
    async preview(toolId) {
      leavePreview(toolId)
      return doing(parts, ownWork.preview(toolId), async () => {
        const preview = await api.preview(toolId, asked(toolId))
        return { change: ({ previews }) => ({ previews: { ...previews, [toolId]: preview } }) }
      })
    },
    publish: (toolId) =>
      thenRead(
        doing(parts, ownWork.publish(toolId), async () => {
          const published = await api.publish(toolId, asked(toolId))
          return {
            change: ({ nextVersions, previews, versions }) => ({
              nextVersions: without(nextVersions, toolId),
              previews: without(previews, toolId),
              versions: { ...versions, [toolId]: [published, ...(versions[toolId] ?? [])] },
            }),
            said: `Version ${published.version} was published`,
          }
        }),
      ),
    leavePreview,
    mark: (toolId, version, mark) =>
      thenRead(
        doing(parts, ownWork.mark(toolId, version), async () => {
          const marked = await api.mark(toolId, version, mark)
          return {
            change: ({ versions }) => ({
              versions: {
                ...versions,
                [toolId]: (versions[toolId] ?? []).map((one) => (one.version === version ? marked : one)),
              },
            }),
            said: `Version ${version} is ${marked.status}`,
          }
        }),
      ),
    remove: (toolId) =>
      thenRead(
        doing(parts, ownWork.remove(toolId), async () => {
          const name = plugOf(toolId)?.name ?? toolId
          await api.remove(toolId)
          return {
            change: ({ own, plugs, versions, edits, place }) => ({
              own: { ...own, list: own.list.filter(({ tool_id }) => tool_id !== toolId) },
              plugs: without(plugs, toolId),
              versions: without(versions, toolId),
              edits: without(edits, toolId),
              place: place.at === 'own' && place.toolId === toolId ? { at: 'list' } : place,
            }),
            said: `${name} was removed`,
          }
        }),
      ),
  }
}
