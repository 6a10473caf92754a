import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { OfferedPlugin } from './allow.ts'
import { enrolmentFolder, type IdentityPlace, openState } from './identity.ts'
import { readPrivateFile, replaceFile } from './private-file.ts'

/** What the user of a machine said of a plugin for good. */
export type PluginAnswer = 'always' | 'never'

/** The answers that a machine keeps. */
export interface PluginAnswers {
  /** What was said: `always` of just these terms, `never` of every version. */
  of(plugin: OfferedPlugin): PluginAnswer | undefined
  /** Keeps an answer; resolves when a crash can no longer lose it. Rejects where the disk does not take it. */
  keep(plugin: OfferedPlugin, answer: PluginAnswer): Promise<void>
}

const FILE = 'plugins.json'

/** What an answer is kept under: a refusal holds for every version, a yes for just these terms. */
const termsOf = ({ id, digest }: OfferedPlugin): string => `${id}@${digest}`

/**
 * Opens the answers of an enrolment: `plugins.json` beside the key of the machine, in a file of its user alone, one line
 * for each answer. Throws where others can read it, or it holds something else.
 */
export async function openPluginAnswers({ dir, token }: IdentityPlace): Promise<PluginAnswers> {
  const folder = dir === null ? null : enrolmentFolder(dir, token)
  const kept = folder === null ? new Map<string, PluginAnswer>() : await readAnswers(path.join(folder, FILE))
  let writing: Promise<void> = Promise.resolve()

  async function write(to: string): Promise<void> {
    await mkdir(to, { recursive: true, mode: 0o700 })
    await replaceFile(path.join(to, FILE), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  }

  return {
    of: (plugin) => (kept.get(plugin.id) === 'never' ? 'never' : kept.get(termsOf(plugin))),
    keep(plugin, answer) {
      kept.set(answer === 'never' ? plugin.id : termsOf(plugin), answer)
      if (folder !== null) writing = writing.catch(() => {}).then(() => write(folder))
      return writing
    },
  }
}

async function readAnswers(file: string): Promise<Map<string, PluginAnswer>> {
  const text = await readPrivateFile(file, openState).catch((error: NodeJS.ErrnoException) => {
    // A folder that cannot be there holds no answers; opening the key of its machine reports that.
    if (error.code === 'ENOTDIR') return null
    throw error
  })
  if (text === null) return new Map()
  const rows = readRows(text)
  if (rows?.every(isKept)) return new Map(rows)
  throw new Error(`${file} is not a list of answers about plugins`)
}

function readRows(text: string): [string, unknown][] | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.entries(value) : null
  } catch {
    return null
  }
}

const isKept = (row: [string, unknown]): row is [string, PluginAnswer] =>
  row[1] === 'always' || row[1] === 'never'
