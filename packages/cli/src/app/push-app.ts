import type { ManifestInput } from '@svc/contract'
import type { HostClient } from '../host/client.ts'
import type { Project } from '../project/project.ts'
import { failure } from '../terminal/failure.ts'
import { type AppFile, readAppFile, writeAppFile } from './app-file.ts'
import type { Bundle } from './bundle-files.ts'
import { fileHints } from './file-hints.ts'
import { hostLacks } from './host-lacks.ts'
import { type Finding, lintBundle } from './lint.ts'

/** What a push did. */
export interface PushReport extends AppFile {
  readonly version: string
  readonly digest: string
  /** Whether the app was registered by this push. */
  readonly registered: boolean
  readonly files: number
  readonly bytes: number
  /** What the app would miss on this host. */
  readonly lacks: readonly Finding[]
}

/** What is pushed. */
export interface PushInput {
  readonly project: Project
  readonly bundle: Bundle
  /** Names the app at its first push; left out, the folder does. */
  readonly slug: string | undefined
  readonly say: (line: string) => void
}

/** Pushes the working draft of an app; the first push registers it. Errors: `failed`, `host`, `unreachable`. */
export async function pushApp(
  host: HostClient,
  { project, bundle, slug, say }: PushInput,
): Promise<PushReport> {
  const error = lintBundle(bundle).find(({ level }) => level === 'error')
  for (const { where, problem, hint } of fileHints(bundle))
    say(`${where}: ${problem}${hint ? `. ${hint}` : ''}`)
  if (error || 'problem' in bundle.manifest)
    throw failure(
      'failed',
      `${project.name} cannot be pushed: ${error?.where ?? 'manifest.json'}: ${error?.problem ?? 'it is missing'}`,
      error?.hint ?? 'svc app lint lists all problems.',
    )
  const manifest = bundle.manifest.value
  const known = readAppFile(project.dir)
  const app = known ?? (await register(host, project, manifest, slug))
  const entries = [...bundle.files].map(([path, bytes]) => [path, bytes.toString('base64')] as const)
  const bytes = [...bundle.files.values()].reduce((sum, file) => sum + file.length, 0)
  say(`sends ${filesText({ files: entries.length, bytes })}`)
  const draft = await host.ask('PUT /api/v1/svc-apps/apps/{app_id}/draft', {
    params: { app_id: app.app_id },
    // What the manifest holds is judged there.
    body: { manifest: manifest as ManifestInput, files: Object.fromEntries(entries) },
  })
  const { version, digest } = draft
  const lacks = await hostLacks(host, manifest)
  return { ...app, version, digest, registered: known === null, files: entries.length, bytes, lacks }
}

/** Registers an app, and writes its id down at once: the slug is taken from then on. */
async function register(
  host: HostClient,
  { dir, name: folder }: Project,
  manifest: unknown,
  given: string | undefined,
): Promise<AppFile> {
  const slug = given ?? slugOf(folder)
  const { name } = manifest as { readonly name: string }
  const { app_id } = await host.ask('POST /api/v1/svc-apps/apps', { body: { slug, name } })
  await writeAppFile(dir, { app_id, slug })
  return { app_id, slug }
}

/** How much was sent. */
export const filesText = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${bytes} bytes`

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'app'
