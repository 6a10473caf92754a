import { distributionRows } from './distribution-form.ts'

/** The fields of the forms of plugins; `form` is the whole form. */
export type FieldName =
  | 'name'
  | 'mint'
  | 'manifest'
  | 'path'
  | 'package_name'
  | 'package_version'
  | 'integrity'
  | 'executable_name'
  | 'binaries'
  | 'needs'
  | 'visibility'
  | 'readme'
  | 'logo_url'
  | 'sample_prompts'
  | 'tags'
  | 'publish_version'
  | 'form'

/** Something that is missing yet, and the field where it goes. */
export interface Missing {
  readonly field: FieldName
  readonly sentence: string
}

/** The id of the element that takes the keyboard of a field. */
export const fieldId = (field: FieldName): string => `field-${field}`

/** The field of each path of a body, longer ones first. */
const paths: readonly (readonly [string, FieldName])[] = [
  ['distribution.urls', 'binaries'],
  ['distribution.path', 'path'],
  ['distribution.package_name', 'package_name'],
  ['distribution.version', 'package_version'],
  ['distribution.integrity', 'integrity'],
  ['distribution.executable_name', 'executable_name'],
  ...['args', 'env', 'cwd', 'start_ms', 'session'].map((key) => [`distribution.${key}`, 'needs'] as const),
  ['distribution', 'form'],
  ['manifest', 'manifest'],
  ['name', 'name'],
  ['readme', 'readme'],
  ['logo_url', 'logo_url'],
  ['sample_prompts', 'sample_prompts'],
  ['tags', 'tags'],
  ['version', 'publish_version'],
]

/** The field that a refusal speaks of, by its `details.path`; `form` where it speaks of none. */
export function fieldOf(path: unknown): FieldName {
  if (typeof path !== 'string') return 'form'
  const named = paths.find(([begin]) => path === begin || path.startsWith(`${begin}.`))
  return named?.[1] ?? 'form'
}

/** What the fields of the wire are called in the form. */
const labels: ReadonlyMap<string, string> = new Map(
  Object.values(distributionRows).flatMap(({ fields }) => fields.map(({ name, label }) => [name, label])),
)

/** A text of the host with the fields called as the form calls them. */
export const withLabels = (text: string): string =>
  text.replace(/\b(?:distribution\.)?(executable_name|package_name)\b/g, (whole, name) => {
    const label = labels.get(name)
    return label === undefined ? whole : `“${label}”`
  })
