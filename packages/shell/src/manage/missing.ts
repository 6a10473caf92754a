import { missingFields } from '../state/distribution-form.ts'
import type { FieldName, Missing } from '../state/field.ts'
import { readManifest } from '../state/manifest-text.ts'
import type { PlugType } from '../state/plug.ts'
import type { NewPlug, PlugFields } from '../state/plug-form.ts'

const isEmpty = (text: string) => text.trim() === ''

/** What the fields of a plugin lack. */
export function missingOfFields(type: PlugType, fields: PlugFields): readonly Missing[] {
  const { manifest, problem } = readManifest(fields.manifest)
  const rows: readonly (readonly [boolean, FieldName, string])[] = [
    [isEmpty(fields.name), 'name', 'A name'],
    [problem !== null, 'manifest', 'A valid manifest'],
    [type === 'tool' && !manifest && problem === null, 'manifest', 'A manifest'],
    [type === 'skill' && isEmpty(fields.readme), 'readme', 'A README, which is the skill itself'],
  ]
  const lines = rows.filter(([lacks]) => lacks).map(([, field, sentence]) => ({ field, sentence }))
  return type === 'tool' ? [...lines, ...missingFields(fields.distribution)] : lines
}

/** Whether the time of a minted id is over; `now` in Unix ms. */
export const isExpired = ({ draft }: Pick<NewPlug, 'draft'>, now: number): boolean =>
  draft !== null && Date.parse(draft.expires_at) <= now

/** What a plugin lacks before it can be created. `expired`: the time of its id is over. */
export function missingOf({ type, fields, draft }: NewPlug, expired: boolean): readonly Missing[] {
  const minting: readonly Missing[] =
    draft === null
      ? [{ field: 'mint', sentence: 'A tool id: mint one' }]
      : expired
        ? [{ field: 'mint', sentence: 'A tool id that has not expired: mint another' }]
        : []
  const lacks = missingOfFields(type, fields)
  return [
    ...lacks.filter(({ field }) => field === 'name'),
    ...minting,
    ...lacks.filter(({ field }) => field !== 'name'),
  ]
}
