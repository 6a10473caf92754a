import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** Finds a module as the folder of an app sees it, then as svc does; `null` where neither has it. */
function find(name: string, dir: string): string | null {
  for (const from of [path.join(path.resolve(dir), 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve(name)
    } catch {
      // The next place may have it.
    }
  }
  return null
}

/** Loads the first of these packages that is installed; `null` where none is. */
export async function loadFirst<Module>(names: readonly string[], dir: string): Promise<Module | null> {
  const file = names.map((name) => find(name, dir)).find((found) => found !== null)
  if (file === undefined) return null
  const loaded = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
  return (loaded.default ?? loaded) as Module
}
