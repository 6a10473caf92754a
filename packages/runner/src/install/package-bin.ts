import { posix } from 'node:path'

/** The executables that a `package.json` names: by name, their paths from its folder. Empty where it cannot be read. */
export function packageBins(text: string): ReadonlyMap<string, string> {
  const { name, bin } = parsed(text)
  const entries = typeof bin === 'string' ? [[posix.basename(String(name)), bin]] : Object.entries(bin ?? {})
  return new Map(
    entries.flatMap(([key, path]) => {
      const clean = typeof path === 'string' ? posix.normalize(path) : '..'
      return key && !clean.startsWith('..') && !posix.isAbsolute(clean) ? [[key, clean]] : []
    }),
  )
}

function parsed(text: string): { readonly name?: unknown; readonly bin?: string | object | null } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
