import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { OfferedPlugin } from './allow.ts'
import { enrolmentFolder, type IdentityPlace } from './identity.ts'
import { readOwnFile, replaceFile } from './own-files.ts'

/** What the user of a machine said of a plugin for good. */
export type PluginAnswer = 'always' | 'never'

/** The answers that a machine keeps. */
export interface PluginAnswers {
  /** What was said: `always` of just these terms, `never` of every version. */
  of(plugin: OfferedPlugin): PluginAnswer | undefined
  /** Keeps an answer; resolves when a crash can no longer lose it. Rejects where the disk does not take it. */
  keep(plugin: OfferedPlugin, answer: PluginAnswer): Promise<void>
}

interface Kept {
  readonly answer: PluginAnswer
  readonly digest: string
}

const FILE = 'plugins.json'

/**
 * Opens the answers of an enrolment: `plugins.json` beside the key of the machine, in a file of its user alone. Throws
 * where others can read it, or it holds something else.
 */
export async function openPluginAnswers({ dir, token }: IdentityPlace): Promise<PluginAnswers> {
  const folder = dir === null ? null : enrolmentFolder(dir, token)
  const kept = folder === null ? new Map<string, Kept>() : await readAnswers(path.join(folder, FILE))
  let writing: Promise<void> = Promise.resolve()

  async function write(to: string): Promise<void> {
    await mkdir(to, { recursive: true, mode: 0o700 })
    await replaceFile(path.join(to, FILE), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  }

  return {
    of({ id, digest }) {
      const said = kept.get(id)
      return said?.answer === 'always' && said.digest !== digest ? undefined : said?.answer
    },
    keep({ id, digest }, answer) {
      kept.set(id, { answer, digest })
      if (folder !== null) writing = writing.catch(() => {}).then(() => write(folder))
      return writing
    },
  }
}

async function readAnswers(file: string): Promise<Map<string, Kept>> {
  const text = await readOwnFile(file).catch((error: NodeJS.ErrnoException) => {
    // A folder that cannot be there holds no answers; its machine is told so as it opens its key.
    if (error.code === 'ENOTDIR') return null
    throw error
  })
  if (text === null) return new Map()
  const rows = readRows(text)
  if (rows?.every(([, kept]) => isKept(kept))) return new Map(rows as [string, Kept][])
  throw new Error(`${file} holds no answers about plugins`)
}

function readRows(text: string): [string, unknown][] | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? Object.entries(value) : null
  } catch {
    return null
  }
}

function isKept(value: unknown): value is Kept {
  const { answer, digest } = { ...(value as Partial<Kept> | null) }
  return (answer === 'always' || answer === 'never') && typeof digest === 'string'
}
