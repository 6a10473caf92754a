import { filesOf, type TestServices, testManifest } from './services.ts'

/** Files with the entry that `testManifest` names. */
export const files = filesOf({ 'index.html': '<!doctype html>' })

/** Pushes a draft of ada's app. */
export const push = (
  services: TestServices,
  app_id: string,
  manifest: unknown = testManifest(),
  bundle = files,
) => services.apps.pushDraft('ada', app_id, { manifest, files: bundle })

/** Registers an app of ada's. */
export const register = async (services: TestServices) =>
  (await services.apps.register('ada', { slug: 'notes', name: 'Notes' })).app_id
