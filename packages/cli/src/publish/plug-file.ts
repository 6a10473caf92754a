import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  type Distribution,
  distributionSchema,
  explainAll,
  nearest,
  type Reach,
  reachSchema,
} from '@svc/contract'
import { failure } from '../terminal/failure.ts'
import { readJsonFile, readTextFile } from '../terminal/text-file.ts'
import { namedSecrets } from './named-secrets.ts'

/** The name of the file that says how a plugin is published. */
export const PLUG_FILE = 'svc.plug.json'

/** What `svc.plug.json` says, once read. */
export interface PlugFile {
  readonly dir: string
  /** Program and arguments by which the plugin is asked for its manifest; started in the folder of the file. */
  readonly command: readonly string[] | undefined
  readonly distribution: Distribution | undefined
  /** What it reaches, in place of what the plugin says of it. */
  readonly reach: Reach | undefined
  /** What else the host gets: name, type, slug. */
  readonly named: Readonly<Record<string, unknown>>
  /** What is beside the content: visibility, texts, tags. `readme` is the text itself. */
  readonly described: Readonly<Record<string, unknown>>
  /** The host's id of the plugin, once there is one. */
  readonly toolId: string | undefined
  /** The draft that waits for its commit, where a publish broke off between the two. */
  readonly draftId: string | undefined
}

const named = ['name', 'type', 'slug'] as const
const described = ['visibility', 'logo_url', 'sample_prompts', 'tags'] as const
/** Every key that the file may have. */
export const plugFileKeys: ReadonlySet<string> = new Set([
  '$schema',
  ...named,
  ...described,
  'readme',
  'command',
  'distribution',
  'reach',
  'tool_id',
  'draft_id',
])

const HINT =
  'An example: {"name": "Weather", "type": "tool", "command": ["node", "plugin.ts"], "distribution": {"type": "npm", "package_name": "weather-plugin"}}'

/** Reads the file of a folder. What the host judges anyhow (name, texts, tags) is left to it. Errors: `config`. */
export async function readPlugFile(folder: string): Promise<PlugFile> {
  const dir = path.resolve(folder)
  const file = path.join(dir, PLUG_FILE)
  const raw = readRaw(file)
  const stranger = Object.keys(raw).find((key) => !plugFileKeys.has(key))
  if (stranger !== undefined) {
    const meant = nearest(stranger, plugFileKeys)
    throw failure(
      'config',
      `${file} must not have the key ${JSON.stringify(stranger)}`,
      meant === null ? `It takes ${[...plugFileKeys].join(', ')}.` : `Did you mean "${meant}"?`,
    )
  }
  const { command, readme } = raw
  if (command !== undefined && !isTexts(command))
    throw failure('config', `command in ${file} must be a list of texts, the program first`, HINT)
  if (readme !== undefined && typeof readme !== 'string')
    throw failure('config', `readme in ${file} must be the path of a file`, HINT)
  return {
    dir,
    command,
    distribution: readDistribution(raw.distribution, dir, file),
    reach: readReach(raw.reach, file),
    named: pick(raw, named),
    described: {
      ...pick(raw, described),
      ...(readme !== undefined && { readme: readTextFile(path.resolve(dir, readme)) }),
    },
    toolId: textOf(raw, 'tool_id', file),
    draftId: textOf(raw, 'draft_id', file),
  }
}

/** Writes what the host gave into the file, and leaves the rest of it as it is; `undefined` takes a key out. */
export async function notePlug(
  dir: string,
  keys: { readonly tool_id?: string; readonly draft_id: string | undefined },
): Promise<void> {
  const file = path.join(dir, PLUG_FILE)
  const { draft_id: _, ...raw } = readRaw(file)
  const { draft_id, ...rest } = keys
  const next = { ...raw, ...rest, ...(draft_id !== undefined && { draft_id }) }
  await writeFile(file, `${JSON.stringify(next, null, 2)}\n`)
}

function readRaw(file: string): Record<string, unknown> {
  const value = readJsonFile(file, HINT)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw failure('config', `${file} must hold an object`, HINT)
}

/** A `path` may be relative to the file: on this machine it is made absolute. */
function readDistribution(value: unknown, dir: string, file: string): Distribution | undefined {
  if (value === undefined) return undefined
  const isRelative =
    typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string'
  const input = isRelative ? { ...value, path: path.resolve(dir, String(value.path)) } : value
  const parsed = distributionSchema.safeParse(input)
  if (!parsed.success) throw wrong(parsed.error, input, `${file}: distribution`)
  const [secret] = namedSecrets(parsed.data)
  if (!secret) return parsed.data
  throw failure(
    'config',
    `${file}: distribution.${secret.at} holds what looks like ${secret.what}: everybody who installs the plugin can read it`,
    `Name a variable, which each user gives: "env": {"API_KEY": {"secret": true, "required": true}}, and \${API_KEY} in args.`,
  )
}

function readReach(value: unknown, file: string): Reach | undefined {
  if (value === undefined) return undefined
  const parsed = reachSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw wrong(parsed.error, value, `${file}: reach`)
}

/** A sentence about the first thing that is wrong in a part of the file. */
function wrong(error: Parameters<typeof explainAll>[0], value: unknown, part: string) {
  const [problem = ''] = explainAll(error, value, part)
  return failure('config', problem.startsWith(part) ? problem : `${part}: ${problem}`, HINT)
}

const pick = (raw: Readonly<Record<string, unknown>>, keys: readonly string[]) =>
  Object.fromEntries(keys.filter((key) => raw[key] !== undefined).map((key) => [key, raw[key]]))

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string' && part !== '')

function textOf(raw: Readonly<Record<string, unknown>>, key: string, file: string): string | undefined {
  const value = raw[key]
  if (value === undefined || typeof value === 'string') return value
  throw failure('config', `${key} in ${file} must be text`, 'Leave it out: the host gives it.')
}
