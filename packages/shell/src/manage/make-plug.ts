import type { ManageState } from '../state/manage-state.ts'
import { manifestText } from '../state/manifest-text.ts'
import type { DeskParts } from '../state/parts.ts'
import { listedOf } from '../state/plug.ts'
import { bodyOf, emptyNewPlug, type NewPlug } from '../state/plug-form.ts'
import { distributionOf } from '../state/read-distribution.ts'
import { change, doing } from './work.ts'

/** The names under which the form of a plugin that is to be has things done. */
export const newWork = { mint: 'mint', describe: 'describe', create: 'create' } as const

/** What can be done with a plugin that is to be. */
export interface PlugMaker {
  change(how: (plug: NewPlug) => Partial<NewPlug>): void
  /** Reserves the `tool_id` of name and type; one that was minted before is given up. */
  mint(): Promise<boolean>
  /** Has a runner say what the plugin can do, and writes it into the manifest. */
  describe(): Promise<boolean>
  /** Commits the draft; the plugin's own page is shown then. */
  create(): Promise<boolean>
  /** Empties the form. The draft is left to expire. */
  discard(): void
}

/** Makes the maker. */
export function plugMaker(parts: DeskParts): PlugMaker {
  const { api, store } = parts
  const form = () => store.get().manage.newPlug
  const into = (how: (plug: NewPlug) => Partial<NewPlug>) => (manage: ManageState) => ({
    newPlug: { ...manage.newPlug, ...how(manage.newPlug) },
  })
  return {
    change: (how) => change(parts, into(how)),
    mint: () =>
      doing(parts, newWork.mint, async () => {
        const { type, fields } = form()
        const draft = await api.manage.mint({ name: fields.name.trim(), type })
        return { change: into(() => ({ draft })), said: `Minted ${draft.tool_id}` }
      }),
    describe: () =>
      doing(parts, newWork.describe, async () => {
        const manifest = manifestText(await api.manage.describe(distributionOf(form().fields.distribution)))
        return {
          change: into(({ fields }) => ({ fields: { ...fields, manifest } })),
          said: 'The plugin described itself',
        }
      }),
    create: () =>
      doing(parts, newWork.create, async () => {
        const { type, fields, visibility, draft } = form()
        if (!draft) throw new Error('mint a tool id first')
        const plug = await api.manage.commit(draft.draft_id, { ...bodyOf(type, fields), visibility })
        return {
          change: ({ own, plugs }) => ({
            newPlug: emptyNewPlug,
            own: { ...own, list: [listedOf(plug), ...own.list] },
            plugs: { ...plugs, [plug.tool_id]: plug },
            place: { at: 'own', toolId: plug.tool_id },
          }),
          said: `${plug.name} was created`,
        }
      }),
    discard: () => change(parts, () => ({ newPlug: emptyNewPlug, work: {} })),
  }
}
