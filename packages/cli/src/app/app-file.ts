import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { failure } from '../terminal/failure.ts'

/** The file in which an app's folder remembers what the host gave it. */
export const APP_FILE = 'svc.app.json'

/** What `svc.app.json` holds. */
export interface AppFile {
  readonly app_id: string
  readonly slug: string
}

/** Reads the file of an app's folder; `null` where the app was never pushed. Errors: `config`. */
export async function readAppFile(dir: string): Promise<AppFile | null> {
  const file = path.join(dir, APP_FILE)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw failure('config', `${file} could not be read: ${error.message}`)
  })
  if (text === null) return null
  const value = parse(text)
  if (typeof value?.app_id === 'string' && typeof value.slug === 'string')
    return { app_id: value.app_id, slug: value.slug }
  throw failure(
    'config',
    `${file} must hold {"app_id": "app_…", "slug": "…"}`,
    'Remove it to register the app again.',
  )
}

/** What the file holds. */
export const appFileText = (file: AppFile): string => `${JSON.stringify(file, null, 2)}\n`

/** Writes the file. */
export const writeAppFile = (dir: string, file: AppFile): Promise<void> =>
  writeFile(path.join(dir, APP_FILE), appFileText(file))

function parse(text: string): { readonly app_id?: unknown; readonly slug?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
