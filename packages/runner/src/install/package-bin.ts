import { posix } from 'node:path'
import type { Limits } from '@svc/contract/limits'
import { pathProblem } from '@svc/node/archive'

/**
 * The executables that a `package.json` names: by name, their paths from its folder, both under the rule for paths
 * (docs/decisions/0014-archives.md). Empty where it cannot be read.
 */
export function packageBins(text: string, limits: Limits): ReadonlyMap<string, string> {
  const { name, bin } = parsed(text)
  const entries = typeof bin === 'string' ? [[posix.basename(String(name)), bin]] : Object.entries(bin ?? {})
  const clean = entries.map(([key, path]) => [key, typeof path === 'string' ? posix.normalize(path) : ''])
  return new Map(
    clean.flatMap(([key = '', path = '']) =>
      pathProblem(key, limits) === null && pathProblem(path, limits) === null ? [[key, path]] : [],
    ),
  )
}

function parsed(text: string): { readonly name?: unknown; readonly bin?: string | object | null } {
  try {
    // Some editors write a byte order mark, and registries take it.
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
