import { existsSync } from 'node:fs'

/**
 * Managers of versions whose programs look for what they start below HOME, which is another one behind walls: where a
 * program of theirs lies, the variable by which it takes another folder, and that beside the place.
 */
const managers: readonly (readonly [place: RegExp, variable: string, folder: string])[] = [
  [/^(.*)\/\.cargo\/bin\/rustup$/, 'RUSTUP_HOME', '/.rustup'],
  [/^(.*)\/\.volta\/bin\/[^/]+$/, 'VOLTA_HOME', '/.volta'],
  [/^(.*)\/\.asdf\/shims\/[^/]+$/, 'ASDF_DATA_DIR', '/.asdf'],
  [/^(.*\/mise)\/shims\/[^/]+$/, 'MISE_DATA_DIR', ''],
]

/** The folder of the manager that a program belongs to, with the variable that names it; nothing where there is none. */
export function managerOf(
  program: string,
  outer: NodeJS.ProcessEnv = process.env,
): { readonly variable: string; readonly folder: string } | undefined {
  for (const [place, variable, below] of managers) {
    const [, base] = place.exec(program) ?? []
    const folder = base === undefined ? undefined : (outer[variable] ?? base + below)
    if (folder !== undefined && existsSync(folder)) return { variable, folder }
  }
  return undefined
}
