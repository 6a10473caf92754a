import { filesOf, type TestHouse, testManifest } from './house.ts'

/** Files with the entry that `testManifest` names. */
export const files = filesOf({ 'index.html': '<!doctype html>' })

/** Pushes a draft of ada's app. */
export const push = (house: TestHouse, app_id: string, manifest: unknown = testManifest(), bundle = files) =>
  house.apps.pushDraft('ada', app_id, { manifest, files: bundle })

/** Registers an app of ada's. */
export const register = async (house: TestHouse) =>
  (await house.apps.register('ada', { slug: 'notes', name: 'Notes' })).app_id
