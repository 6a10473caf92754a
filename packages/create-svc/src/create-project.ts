import { CreateError } from './create-error.ts'
import { installPackages, packageManagerOf } from './package-manager.ts'
import { askInstall, askName, askTemplate, type Terminal } from './questions.ts'
import type { CreateOptions } from './read-options.ts'
import { readTarget } from './read-target.ts'
import { renderTemplate } from './render-template.ts'
import { findTemplate } from './templates.ts'
import { writeProject } from './write-project.ts'

/** Where a project is created, and who can be asked. */
export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The version of our packages. */
  readonly version: string
  /** `null`: nobody can be asked. */
  readonly terminal: Terminal | null
}

/** A project that was created. */
export interface Created {
  readonly name: string
  readonly template: string
  /** The whole path of its folder. */
  readonly dir: string
  readonly files: readonly string[]
  /** The commands that come next. */
  readonly next: readonly string[]
}

const DEFAULT_NAME = 'my-app'
const DEFAULT_TEMPLATE = 'app'

/** Creates what the options say, and asks for the rest; `null`: the user gave up, and nothing was created. */
export async function createProject(
  options: CreateOptions,
  { cwd, env, version, terminal }: Place,
): Promise<Created | null> {
  const manager = packageManagerOf(env)
  const asked = options.yes ? null : terminal
  // What is given is judged before anything is asked.
  if (options.template !== undefined) findTemplate(options.template)
  if (options.name !== undefined) readTarget(options.name, cwd)
  if (!asked && !options.yes) refuseMissing(options)

  const named = options.name ?? (asked ? await askName(asked) : DEFAULT_NAME)
  if (named === null) return null
  const target = readTarget(named, cwd)
  const chosen = options.template ?? (asked ? await askTemplate(asked) : DEFAULT_TEMPLATE)
  if (chosen === null) return null
  const template = findTemplate(chosen)
  const install = options.install ?? (asked ? await askInstall(asked, `${manager} install`) : false)
  if (install === null) return null

  const { name, title, dir } = target
  const files = renderTemplate(template, { name, title, range: `^${version}` })
  writeProject(dir, files)
  if (install) await installPackages(manager, dir, name)
  const next = [
    ...(dir === cwd ? [] : [`cd ${name}`]),
    ...(install ? [] : [`${manager} install`]),
    `${manager} run dev`,
  ]
  return { name, template: template.name, dir, files: [...files.keys()], next }
}

function refuseMissing({ name, template }: CreateOptions): void {
  if (name !== undefined && template !== undefined) return
  const missing = [
    ...(name === undefined ? ['a name'] : []),
    ...(template === undefined ? ['a template'] : []),
  ]
  throw new CreateError(
    'usage',
    `${missing.join(' and ')} must be given where nobody can be asked`,
    'For example: npm create svc my-app -- --template app-react (the first -- is for npm); --list shows the templates.',
  )
}
