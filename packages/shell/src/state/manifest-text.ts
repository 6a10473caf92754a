import type { PluginManifest } from '@svc/contract'

/** What the text of a manifest says: the manifest, or why it is not one. The host judges the rest. */
export type ManifestReading =
  | { readonly manifest: PluginManifest; readonly problem: null }
  | { readonly manifest: null; readonly problem: string | null }

/** Reads it. An empty text is no manifest and no problem. */
export function readManifest(text: string): ManifestReading {
  if (text.trim() === '') return { manifest: null, problem: null }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return none(`This is not JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return none('A manifest is one JSON object, such as {"name": "weather", "tools": []}.')
  if (!('name' in value) || typeof value.name !== 'string' || value.name === '')
    return none('The manifest has no "name".')
  return { manifest: value as PluginManifest, problem: null }
}

const none = (problem: string): ManifestReading => ({ manifest: null, problem })

/** A manifest as text that can be read and edited. */
export const manifestText = (manifest: unknown): string => JSON.stringify(manifest, null, 2)
