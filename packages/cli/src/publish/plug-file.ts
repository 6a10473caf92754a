import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type Distribution, distributionSchema, explain, nearest } from '@svc/contract'
import { failure } from '../terminal/failure.ts'
import { readJsonText } from '../terminal/json-text.ts'

/** The name of the file that says how a plugin is published. */
export const PLUG_FILE = 'svc.plug.json'

/** What `svc.plug.json` says, once read. */
export interface PlugFile {
  readonly dir: string
  /** Program and arguments by which the plugin is asked for its manifest; started in the folder of the file. */
  readonly command: readonly string[] | undefined
  readonly distribution: Distribution | undefined
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
  'tool_id',
  'draft_id',
])

const HINT =
  'An example: {"name": "Weather", "type": "tool", "command": ["node", "plugin.ts"], "distribution": {"type": "npm", "package_name": "weather-plugin"}}'

/** Reads the file of a folder. What the host judges anyhow (name, texts, tags) is left to it. Errors: `config`. */
export async function readPlugFile(folder: string): Promise<PlugFile> {
  const dir = path.resolve(folder)
  const file = path.join(dir, PLUG_FILE)
  const raw = await readRaw(file)
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
    named: pick(raw, named),
    described: {
      ...pick(raw, described),
      ...(readme !== undefined && { readme: await readText(path.resolve(dir, readme)) }),
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
  const { draft_id: _, ...raw } = await readRaw(file)
  const { draft_id, ...rest } = keys
  const next = { ...raw, ...rest, ...(draft_id !== undefined && { draft_id }) }
  await writeFile(file, `${JSON.stringify(next, null, 2)}\n`)
}

async function readRaw(file: string): Promise<Record<string, unknown>> {
  const text = await readText(file)
  const read = readJsonText(text, file)
  if ('problem' in read) throw failure('config', read.problem)
  const { value } = read
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw failure('config', `${file} must hold an object`, HINT)
}

const readText = (file: string) =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw failure('config', `${file} could not be read: ${error.message}`, HINT)
  })

/** A `path` may be relative to the file: on this machine it is made absolute. */
function readDistribution(value: unknown, dir: string, file: string): Distribution | undefined {
  if (value === undefined) return undefined
  const isRelative =
    typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string'
  const input = isRelative ? { ...value, path: path.resolve(dir, String(value.path)) } : value
  const parsed = distributionSchema.safeParse(input)
  if (parsed.success) return parsed.data
  throw failure('config', `${file}: distribution: ${explain(parsed.error, input)}`, HINT)
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
