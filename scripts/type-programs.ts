import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** One run of the type checker: the projects that share a program, and the configuration that names their files. */
export interface TypeProgram {
  readonly dirs: readonly [string, ...string[]]
  readonly config: string
}

interface TypeConfig {
  readonly extends?: string
  readonly compilerOptions: Record<string, unknown>
  readonly include: readonly string[]
}

const DECLARES_FOR_ALL = /^declare (global|module)\b/m

/**
 * Puts projects with the same compiler options into one program, where what they share is read and checked once and
 * not once for each. A project that declares something for everybody stays alone: others must not see it.
 *
 * @param dir where the configurations of shared programs are written: packages of types are found from there up
 */
export function typePrograms(projects: readonly string[], dir: string): TypeProgram[] {
  const programs = new Map<string, [string, ...string[]]>()
  for (const project of projects) {
    const key = declaresForAll(project) ? project : JSON.stringify(optionsOf(project))
    const shared = programs.get(key)
    if (shared) shared.push(project)
    else programs.set(key, [project])
  }
  return [...programs.values()]
    .sort((a, b) => b.length - a.length)
    .map((dirs, index) => ({
      dirs,
      config: dirs.length === 1 ? dirs[0] : writeConfig(dirs, path.join(dir, `types-${index}.json`)),
    }))
}

function declaresForAll(project: string): boolean {
  const files = globSync(`${project}/**/*.{ts,tsx}`, { exclude: (name) => name === 'node_modules' })
  return files.some((file) => DECLARES_FOR_ALL.test(readFileSync(file, 'utf8')))
}

function read(file: string): TypeConfig {
  return JSON.parse(readFileSync(file, 'utf8')) as TypeConfig
}

/** The compiler options of a project, in an order of their own. */
function optionsOf(project: string): Record<string, unknown> {
  const config = read(path.join(project, 'tsconfig.json'))
  const base = config.extends ? read(path.join(project, config.extends)).compilerOptions : {}
  const options = Object.entries({ ...base, ...config.compilerOptions })
  return Object.fromEntries(options.sort(([a], [b]) => a.localeCompare(b)))
}

function writeConfig(dirs: readonly [string, ...string[]], file: string): string {
  const include = dirs.flatMap((dir) =>
    read(path.join(dir, 'tsconfig.json')).include.map((glob) => path.resolve(dir, glob)),
  )
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ compilerOptions: optionsOf(dirs[0]), include }))
  return file
}
