import { type ManifestSchema, manifestJsonSchema } from '../../packages/contract/src/index.ts'
import { type Schema, typeText } from './schema.ts'
import { code, table } from './table.ts'

/** An object of the manifest that has a section of its own. */
interface Section {
  readonly place: string
  readonly schema: ManifestSchema
}

/** The reference of an app's manifest: a section for each object in it. */
export function manifestPage(): string {
  return `# The manifest of an app

\`manifest.json\` is at the top of a bundle (in a Vite project \`public/manifest.json\`). This is a whole one:

\`\`\`json
{
  "$schema": "../node_modules/@svc/cli/manifest.schema.json",
  "schema": 3,
  "name": "Notes",
  "ui": {
    "bundle": { "entry": "index.html" },
    "views": [{ "name": "main", "default": true, "w": 640, "h": 480 }],
    "host_api": { "storage": ["get", "set"], "llm": ["*"] }
  },
  "required_plugs": ["csv-stats"]
}
\`\`\`

\`$schema\` has editors check and complete it; \`manifest.schema.json\` comes with \`@svc/cli\`. \`svc app lint\` and \`svc dev\` refuse a
key that is not listed here, and name the one that was meant. A host drops it: a manifest for a later host is one for it, too.

${sectionsOf({ place: '', schema: manifestJsonSchema() }).map(sectionText).join('\n\n')}`
}

/** A section and those of the objects in it, from the outside in. */
function sectionsOf(section: Section): Section[] {
  const inner = Object.entries(section.schema.properties ?? {}).flatMap(([name, one]) => {
    const place = section.place === '' ? name : `${section.place}.${name}`
    const { form, suffix } = objectIn(one)
    return form ? sectionsOf({ place: place + suffix, schema: form }) : []
  })
  return [section, ...inner]
}

/** The object that a value is, that is in its list, or that is one of its forms. */
function objectIn(schema: ManifestSchema): { readonly form: ManifestSchema | null; readonly suffix: string } {
  if (schema.properties) return { form: schema, suffix: '' }
  if (schema.items) return { ...objectIn(schema.items), suffix: '[]' }
  return { form: schema.anyOf?.find(({ properties }) => properties) ?? null, suffix: '' }
}

function sectionText({ place, schema }: Section): string {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([name, one]) => [
    code(required.includes(name) ? name : `${name}?`),
    code(typeOf(one)),
    'default' in one && typeof one.default !== 'object' ? code(JSON.stringify(one.default)) : '',
    one.description ?? '',
  ])
  return `## ${place === '' ? 'The whole' : code(place)}\n\n${table(['Key', 'Type', 'Default', 'What'], rows)}`
}

/** An object that has a section is named in a word. */
function typeOf(schema: ManifestSchema): string {
  const { form, suffix } = objectIn(schema)
  if (!form) return typeText(schema as Schema)
  const others = (schema.items ?? schema).anyOf
    ?.filter((one) => one !== form)
    .map((one) => typeText(one as Schema))
  const text = [...(others ?? []), 'object'].join(' | ')
  return suffix === '' ? text : `${text.includes('|') ? `(${text})` : text}[]`
}
