import type { Host } from '@svc/host'
import type { TestHostOptions } from './create-test-host.ts'

/** The version of a draft. */
const DRAFT = '0.0.0-draft'

/** Pushes the app as a draft of its user, and installs it with the grants. Returns its id. */
export async function installApp(
  host: Host,
  user: string,
  { manifest, grants = {} }: Pick<TestHostOptions, 'manifest' | 'grants'>,
): Promise<string> {
  const { app_id } = await host.apps.register(user, { slug: 'app', name: 'app' })
  const files = new Map([[manifest.ui.bundle.entry, Buffer.from('<!doctype html>')]])
  await host.apps.pushDraft(user, app_id, { manifest, files })
  await host.apps.install(user, { app_id, version: DRAFT, grants })
  return app_id
}
