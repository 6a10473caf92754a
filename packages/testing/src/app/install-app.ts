import { didYouMean, explainAll, type Grants, type Manifest, manifestSchema } from '@svc/contract'
import type { Host } from '@svc/host'
import { declaredPlugs } from '@svc/host/testing'
import { TestHostError } from '../errors/test-host-error.ts'

/** The version of a draft. */
const DRAFT = '0.0.0-draft'

/** An app that its user has installed. */
export interface Installation {
  readonly user: string
  readonly appId: string
  readonly grants: Grants
}

/** Reads the manifest of an app. Throws a sentence for the first thing that is wrong with it. */
export function readManifest(given: unknown): Manifest {
  const read = manifestSchema.safeParse(given)
  if (read.success) return read.data
  const [first = '', ...more] = explainAll(read.error, given, 'the manifest')
  throw new TestHostError(
    `the manifest does not parse: ${first}`,
    more.length > 0 ? `Also: ${more.join('; ')}.` : 'The reference of the manifest has its keys.',
  )
}

/** Refuses tools of a plugin that the manifest does not declare: the app could never call them. */
export function checkTools(manifest: Manifest, names: readonly string[]): void {
  const declared = declaredPlugs(manifest)
    .flatMap(({ toolId, handle }) => [toolId, handle])
    .filter((name) => name !== null)
  const stray = names.find((name) => !declared.includes(name))
  if (stray === undefined) return
  throw new TestHostError(
    `the manifest declares no plugin ${JSON.stringify(stray)}${didYouMean(stray, declared)}`,
    'Name it in required_plugs or optional_plugs of the manifest.',
  )
}

/** The files of an app in a test that has no bundle: the entry, and nothing in it. */
export const noBundle = ({ ui }: Manifest): ReadonlyMap<string, Buffer> =>
  new Map([[ui.bundle.entry, Buffer.from('<!doctype html>')]])

/** Registers the app, pushes it as a draft of its user, and installs it with the grants. */
export async function installApp(
  host: Host,
  manifest: Manifest,
  { user, grants }: Omit<Installation, 'appId'>,
): Promise<Installation> {
  const { app_id: appId } = await host.apps.register(user, { slug: 'app', name: manifest.name })
  await host.apps.pushDraft(user, appId, { manifest, files: noBundle(manifest) })
  const installation = { user, appId, grants }
  await installWith(host, installation, grants)
  return installation
}

/** Installs the app anew, with these grants in place of those before. */
export async function installWith(host: Host, { user, appId }: Installation, grants: Grants): Promise<void> {
  await host.apps.install(user, { app_id: appId, version: DRAFT, grants })
}
