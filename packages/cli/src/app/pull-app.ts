import path from 'node:path'
import { limits, Refusal } from '@svc/contract'
import { readArchive } from '@svc/node/archive'
import type { HostClient } from '../host/client.ts'
import { Failure, failure } from '../terminal/failure.ts'
import { APP_FILE, type AppFile, appFileText } from './app-file.ts'
import { findApp, type OwnApp } from './own-apps.ts'
import { checkFree, writeFolder } from './write-folder.ts'

/** What is pulled. */
export interface PullInput {
  /** The slug or the id of the app. */
  readonly app: string
  /** A release; left out, the draft. */
  readonly version: string | undefined
  /** The folder; left out, one with the slug of the app. */
  readonly to: string | undefined
  readonly signal: AbortSignal
  readonly say: (line: string) => void
}

/** What a pull did. */
export interface PullReport extends AppFile {
  readonly version: string
  readonly dir: string
  /** The files of the bundle, without the manifest, as a push counts them. */
  readonly files: number
  readonly bytes: number
}

const MANIFEST = 'manifest.json'
const DRAFT = '0.0.0-draft'
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** The manifest comes beside as many files as a push may bring. */
const pulled = { ...limits, ARCHIVE_ENTRIES_MAX: limits.ARCHIVE_ENTRIES_MAX + 1 }
/** What such an archive may have: its files, and for each of them headers, a long path and the rest of a block. */
const ENTRY_BYTES = 4_096
const ARCHIVE_MAX_BYTES = limits.ARCHIVE_BYTES_MAX + ENTRY_BYTES * pulled.ARCHIVE_ENTRIES_MAX

/**
 * Brings what was pushed of an app into a folder of its own, from which it can be pushed again. What the host sends is
 * judged by the rules of archives before anything is written (docs/decisions/0133-finding-own-apps-again.md). Errors:
 * `host`, `unreachable`, `failed`, `config`.
 */
export async function pullApp(host: HostClient, input: PullInput): Promise<PullReport> {
  const app = await findApp(host, input.app)
  const { app_id, slug } = app
  if (!SLUG.test(slug) || slug.length > limits.SLUG_MAX_CHARS)
    throw failure('failed', `the host calls the app ${JSON.stringify(slug)}, which is not a slug`)
  const dir = path.resolve(input.to ?? slug)
  await checkFree(dir)
  const files = await filesOf(host, app, input)
  const bundle = [...files].filter(([name]) => name !== MANIFEST)
  const bytes = bundle.reduce((sum, [, file]) => sum + file.length, 0)
  const note = Buffer.from(appFileText({ app_id, slug }))
  await writeFolder(dir, new Map([...files, [APP_FILE, note]]), input.signal)
  return { app_id, slug, version: input.version ?? DRAFT, dir, files: bundle.length, bytes }
}

/** The manifest and the files of the bundle, by their path. */
async function filesOf(
  host: HostClient,
  app: OwnApp,
  { version = DRAFT, signal, say }: PullInput,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (version === DRAFT && app.draft === null)
    throw failure('host', `nothing was pushed of ${app.slug} yet`, undefined, 'not_found')
  const archive = await host
    .download(
      'GET /api/v1/svc-apps/apps/{app_id}/versions/{version}/archive',
      { type: 'application/x-tar', maxBytes: ARCHIVE_MAX_BYTES, signal },
      { params: { app_id: app.app_id, version } },
    )
    .catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error
      throw failure('host', error.message, `svc app list ${app.slug} shows what there is.`, error.code)
    })
  const files = new Map(await judged(archive))
  if (!files.has(MANIFEST)) throw failure('failed', `the host sent no ${MANIFEST}`)
  if (files.delete(APP_FILE)) say(`leaves out the ${APP_FILE} of the bundle`)
  if (files.has('index.html') && files.has(`public/${MANIFEST}`))
    say(`the bundle has a public/${MANIFEST}: svc app push takes such a folder for sources, and builds it`)
  return files
}

async function judged(archive: Buffer): Promise<ReadonlyMap<string, Uint8Array>> {
  try {
    return (await readArchive('application/x-tar', archive, pulled)).files
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw failure('failed', `what the host sent was not unpacked: ${error.message}`)
  }
}
