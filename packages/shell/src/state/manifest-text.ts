import type { PluginManifest } from '@svc/contract'
import { readPersonJson } from '@svc/contract/person-text'

/** What the text of a manifest says: the manifest, or why it is not one. The host judges the rest. */
export type ManifestReading =
  | { readonly manifest: PluginManifest; readonly problem: null }
  | { readonly manifest: null; readonly problem: string | null }

/** Reads it. An empty text is no manifest and no problem. */
export function readManifest(text: string): ManifestReading {
  if (text.trim() === '') return { manifest: null, problem: null }
  const read = readPersonJson(text, 'The manifest')
  if ('problem' in read) return none(`${read.problem}.`)
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return none('A manifest is one JSON object, such as {"name": "weather", "tools": []}.')
  if (!('name' in value) || typeof value.name !== 'string' || value.name === '')
    return none('The manifest has no "name".')
  return { manifest: value as PluginManifest, problem: null }
}

const none = (problem: string): ManifestReading => ({ manifest: null, problem })

/** A manifest as text that can be read and edited. */
export const manifestText = (manifest: unknown): string => JSON.stringify(manifest, null, 2)
