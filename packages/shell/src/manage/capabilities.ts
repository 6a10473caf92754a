import { readManifest } from '../state/manifest-text.ts'

/** What each capability lets a plugin ask of the host while it works on a call. */
const words: ReadonlyMap<string, string> = new Map([
  ['llm.sample', 'May have a language model complete a text, on the account of who calls it'],
  ['llm.agent.auto', 'May have an agent work with the tools of the app that calls it'],
  ['llm.agent.fixed', 'May have an agent work with its own tools'],
  ['host.upload', 'May store files of who calls it'],
])

/** A line that says what a plugin can do or wants. */
export interface Capability {
  readonly kind: 'tool' | 'host' | 'credential'
  readonly name: string
  readonly sentence: string
}

const kinds = ['tool', 'host', 'credential'] as const

/** What each kind is called over its lines. */
export const kindTitles: Readonly<Record<Capability['kind'], string>> = {
  tool: 'Tools that apps may call',
  host: 'What it asks of the host',
  credential: 'Credentials that it needs',
}

/** The lines of a manifest by kind, from its text; a text that cannot be read has none. */
export function capabilitiesOf(
  text: string,
): readonly { readonly kind: Capability['kind']; readonly lines: readonly Capability[] }[] {
  const { manifest } = readManifest(text)
  if (!manifest) return []
  const found: readonly Capability[] = [
    ...named(manifest.tools).map(([name, more]) => ({
      kind: 'tool' as const,
      name,
      sentence: more || 'No description',
    })),
    ...listOf(manifest.host_capabilities)
      .filter((name) => typeof name === 'string')
      .map((name) => ({
        kind: 'host' as const,
        name,
        sentence: words.get(name) ?? 'Not known to this page: the host gives it nothing for that',
      })),
    ...named(manifest.credentials).map(([name, more]) => ({
      kind: 'credential' as const,
      name,
      sentence: more || 'You are asked for it once; the plugin alone sees its value',
    })),
  ]
  return kinds
    .map((kind) => ({ kind, lines: found.filter((line) => line.kind === kind) }))
    .filter(({ lines }) => lines.length > 0)
}

/** What is in a text may be anything. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The entries of a list that have a name, each with its description. */
function named(value: unknown): (readonly [string, string])[] {
  return listOf(value).flatMap((entry) => {
    if (typeof entry === 'string') return [[entry, ''] as const]
    if (typeof entry !== 'object' || entry === null || !('name' in entry)) return []
    const description = 'description' in entry ? entry.description : ''
    return [[String(entry.name), typeof description === 'string' ? description : ''] as const]
  })
}
