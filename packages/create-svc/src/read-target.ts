import { lstatSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { CreateError } from './create-error.ts'

/** Where a project is created, and how it is called. */
export interface Target {
  /** The whole path of its folder. */
  readonly dir: string
  readonly name: string
  /** `my-app` is "My app". */
  readonly title: string
}

/** So that the name is one of a plugin too. */
const NAME_CHARS = 40
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** A new repository may be there already. */
const mayBeThere = new Set(['.git'])

/** Reads the name of a project; `.` is the folder where the command runs. Errors: a bad name, a folder in use. */
export function readTarget(text: string, cwd: string): Target {
  const given = text.trim()
  const here = given === '.' || given === './'
  const name = here ? path.basename(cwd) : given
  if (!here) checkIsNoPath(given)
  const problem = problemOf(name)
  if (problem) throw new CreateError('usage', `${problem}, got "${name}"`, hintFor(name))
  const dir = here ? cwd : path.join(cwd, name)
  checkIsFree(dir, name)
  return { dir, name, title: titleOf(name) }
}

/** What is wrong with a name; `null` where nothing is. */
export function problemOf(name: string): string | null {
  if (name.length > NAME_CHARS) return `a name has at most ${NAME_CHARS} characters`
  return NAME.test(name)
    ? null
    : 'a name begins with a letter, and has lower-case letters, digits and single dashes'
}

function checkIsNoPath(given: string): void {
  if (!/[\\/]|^\.\.$|^~/.test(given)) return
  throw new CreateError(
    'usage',
    `a project is created where the command runs, and "${given}" is a path`,
    'Go to its parent folder first, and give only a name: npm create svc my-app',
  )
}

function hintFor(name: string): string {
  const near = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/(?<!-)-+$/, '')
    .slice(0, NAME_CHARS)
    .replace(/-$/, '')
  return near === '' ? 'For example: npm create svc my-app' : `This would be one: npm create svc ${near}`
}

function checkIsFree(dir: string, name: string): void {
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  if (!stat) return
  const other = 'Choose another name, or move away what is there.'
  if (!stat.isDirectory())
    throw new CreateError('folder', `${name} is there already, and is not a folder`, other)
  if (readdirSync(dir).some((entry) => !mayBeThere.has(entry)))
    throw new CreateError('folder', `the folder ${name} is not empty`, other)
}

const titleOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`
