import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { failure } from '../terminal/failure.ts'
import { readJsonFile } from '../terminal/text-file.ts'

/** The file in which an app's folder remembers what the host gave it. */
export const APP_FILE = 'svc.app.json'

/** What `svc.app.json` holds. */
export interface AppFile {
  readonly app_id: string
  readonly slug: string
}

/** Reads the file of an app's folder; `null` where the app was never pushed. Errors: `config`. */
export function readAppFile(dir: string): AppFile | null {
  const file = path.join(dir, APP_FILE)
  if (!existsSync(file)) return null
  const { app_id, slug } = Object(readJsonFile(file)) as {
    readonly app_id?: unknown
    readonly slug?: unknown
  }
  if (typeof app_id === 'string' && typeof slug === 'string') return { app_id, slug }
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
