import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/** Everything that the tools may read lies here. */
const root = path.join(import.meta.dirname, '../data')

/** Names of letters, digits and hyphens, one below the other: no name leads out of the root. */
const FOLDER = /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/
const TEXTS_MAX = 1_000
/** Four times the world is sixteen times its work. */
const FOLDER_MAX_BYTES = 4_194_304

/** A folder with texts in it or below it. */
export interface Folder {
  readonly folder: string
  readonly files: number
  readonly bytes: number
}

/** Every folder that can be read, by its path below the root. */
export function listFolders(): Folder[] {
  const sums = new Map<string, { files: number; bytes: number }>()
  for (const file of allTexts()) {
    const size = sizeOf(file)
    for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) {
      const { files, bytes } = sums.get(folder) ?? { files: 0, bytes: 0 }
      sums.set(folder, { files: files + 1, bytes: bytes + size })
    }
  }
  return [...sums].map(([folder, sum]) => ({ folder, ...sum })).sort((a, b) => (a.folder < b.folder ? -1 : 1))
}

/**
 * The paths of a folder's texts below it, in order.
 *
 * @throws Error with a sentence for the user: no name of a folder, no such folder, nothing in it, too much in it
 */
export function textsIn(folder: string): string[] {
  if (!FOLDER.test(folder))
    throw new Error(
      `folder must be a path of small letters, digits and hyphens as "world/europe", got "${folder}"`,
    )
  const texts = allTexts().filter((file) => file.startsWith(`${folder}/`))
  const known = () => listFolders().map((one) => one.folder)
  if (texts.length === 0)
    throw new Error(`there is no folder "${folder}" with texts in it; there are ${known().join(', ')}`)
  if (texts.length > TEXTS_MAX)
    throw new Error(`a folder must hold at most ${TEXTS_MAX} texts, "${folder}" has ${texts.length}`)
  const bytes = texts.reduce((sum, file) => sum + sizeOf(file), 0)
  if (bytes > FOLDER_MAX_BYTES)
    throw new Error(`a folder must hold at most ${FOLDER_MAX_BYTES} bytes, "${folder}" has ${bytes}`)
  return texts.map((file) => file.slice(folder.length + 1)).sort()
}

/**
 * Reads one text.
 *
 * @throws Error when it is no UTF-8, and what `readFile` throws
 */
export async function readText(folder: string, file: string, signal: AbortSignal): Promise<string> {
  const bytes = await readFile(path.join(root, folder, file), { signal })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${folder}/${file} must be UTF-8 text`)
  }
}

const sizeOf = (file: string) => statSync(path.join(root, file)).size

/** Texts by their paths below the root, always with `/`. */
const allTexts = (): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.txt'))
