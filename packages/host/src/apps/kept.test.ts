import { verifies } from '@svc/conformance/verifies'
import type { Store } from '@svc/state'
import { expect, test } from 'vitest'
import { installs, versions } from '../catalog/records.ts'
import { windows } from '../catalog/window-row.ts'
import { fileUses } from '../data/app-files/uses.ts'
import { files, push, register } from '../testing/apps.ts'
import { filesOf, refusal, type TestServices, testManifest, testServices } from '../testing/services.ts'
import { bundles } from './bundles.ts'

const DRAFT = '0.0.0-draft'
const sized = (bytes: number, fill = 'x') => filesOf({ 'index.html': fill.repeat(bytes) })

/** What is left of apps: versions, bundles, uses of bytes, installs. */
async function left({ store }: TestServices) {
  const all = { limit: 100 }
  return {
    versions: (await store.scan(versions, 'byApp', all)).rows.length,
    bundles: (await store.scan(bundles, 'byApp', all)).rows.length,
    uses: (await store.scan(fileUses, 'byFile', all)).rows.length,
    installs: (await store.scan(installs, 'byApp', all)).rows.length,
  }
}

verifies('kept.owner', 'a user has so many apps, and another one after deleting one', async () => {
  const services = testServices({ limits: { APPS_PER_USER: 2 } })
  const add = (user: string, slug: string) => services.apps.register(user, { slug, name: 'App' })
  const { app_id } = await add('ada', 'one')
  await add('ada', 'two')
  expect(await refusal(add('ada', 'three'))).toBe('quota_exceeded: a user may have at most 2 apps')
  expect(await refusal(add('ada', 'two'))).toMatch(/^conflict: /)
  await add('bob', 'three')
  await services.apps.remove('ada', app_id)
  await add('ada', 'three')
})

verifies('kept.owner', 'an app has so many releases, and another one after deleting one', async () => {
  const services = testServices({ limits: { RELEASES_PER_APP: 2 } })
  const app = await register(services)
  await push(services, app)
  await services.apps.release('ada', app, '1.0.0')
  await services.apps.release('ada', app, '1.1.0')
  const third = () => services.apps.release('ada', app, '1.2.0')
  expect(await refusal(third())).toBe('quota_exceeded: an app may have at most 2 releases')
  expect(await refusal(services.apps.release('ada', app, '1.1.0'))).toMatch(/^conflict: /)
  await services.apps.removeRelease('ada', app, '1.0.0')
  await third()
})

verifies('kept.owner', 'what is refused leaves nothing; room comes back with what goes', async () => {
  const services = testServices({ limits: { BUNDLES_BYTES_PER_USER: 100_000 } })
  const app = await register(services)
  // Files of thousands of bytes, beside which the manifest and the path are little.
  const pushSized = (kilobytes: number, fill?: string) =>
    push(services, app, testManifest(), sized(kilobytes * 1_000, fill))
  await pushSized(60)
  await services.apps.release('ada', app, '1.0.0')
  const before = await left(services)
  const told =
    /^quota_exceeded: a version of 4\d{4} bytes does not fit: the apps of a user may keep at most 100000 bytes of drafts and releases$/
  expect(await refusal(pushSized(41, 'y'))).toMatch(told)
  expect(await left(services)).toEqual(before)
  await pushSized(38, 'y')
  // The release is all that needs the first draft.
  expect(await refusal(pushSized(41, 'z'))).toMatch(told)
  await services.apps.removeRelease('ada', app, '1.0.0')
  await pushSized(60, 'z')
  expect(await left(services)).toEqual({ versions: 1, bundles: 1, uses: 1, installs: 0 })
})

verifies(
  'kept.owner',
  'what does not fit is refused again, though it was being refused when its host was killed',
  async () => {
    const { store, blobs } = testServices()
    const limits = { BUNDLES_BYTES_PER_USER: 100_000 }
    const host = testServices({ store, blobs, limits })
    const app = await register(host)
    await push(host, app, testManifest(), sized(60_000))
    await host.apps.release('ada', app, '1.0.0')
    const other = sized(60_000, 'y')
    const remove = () => Promise.reject(new Error('this host was killed'))
    const killed = testServices({ store: { ...store, remove }, blobs, limits, drawn: 100 })
    await expect(push(killed, app, testManifest(), other)).rejects.toThrow('this host was killed')
    expect(await refusal(push(host, app, testManifest(), other))).toMatch(/^quota_exceeded: /)
  },
)

verifies('kept.owner', 'empty files and long paths take room too', async () => {
  const services = testServices({ limits: { BUNDLES_BYTES_PER_USER: 1_000_000 } })
  const app = await register(services)
  const empty = Array.from({ length: 3_000 }, (_, at) => [`${'x'.repeat(200)}/${at}`, ''])
  const files = filesOf({ 'index.html': '<p>', ...Object.fromEntries(empty) })
  await push(services, app, testManifest(), files)
  await services.apps.release('ada', app, '1.0.0')
  expect(await refusal(push(services, app, testManifest({ name: 'Other' }), files))).toMatch(
    /^quota_exceeded: a version of \d{6,7} bytes does not fit/,
  )
})

verifies(
  'kept.installs',
  'a user has so many apps installed, and another one after uninstalling one',
  async () => {
    const services = testServices({ limits: { INSTALLS_PER_USER: 2 } })
    const released = async (slug: string) => {
      const { app_id } = await services.apps.register('ada', { slug, name: 'App' })
      await services.apps.pushDraft('ada', app_id, { manifest: testManifest(), files })
      await services.apps.release('ada', app_id, '1.0.0')
      return app_id
    }
    const install = async (slug: string) =>
      services.apps.install('bob', { app_id: await released(slug), version: '1.0.0' })
    const { install_id } = await install('one')
    await install('two')
    expect(await refusal(install('three'))).toBe('quota_exceeded: a user may have at most 2 apps installed')
    await services.apps.uninstall('bob', install_id)
    await install('four')
    const [{ app_id = '' } = {}] = await services.apps.installed('bob')
    await services.apps.install('bob', { app_id, version: '1.0.0' })
  },
)

test('the same files in two apps take the room of each, and go with the last', async () => {
  const services = testServices()
  const [one, two] = [
    await register(services),
    (await services.apps.register('bob', { slug: 'b', name: 'B' })).app_id,
  ]
  await push(services, one)
  await services.apps.pushDraft('bob', two, { manifest: testManifest(), files })
  await services.apps.remove('ada', one)
  expect(await left(services)).toEqual({ versions: 1, bundles: 1, uses: 1, installs: 0 })
})

verifies.each('kept.remove.app')([
  ['pushed', (host: TestServices, app: string) => push(host, app, testManifest(), sized(1))],
  ['released', (host: TestServices, app: string) => host.apps.release('ada', app, '1.0.0')],
])('an app that is deleted while it is being %s keeps nothing', async (_, act) => {
  const { store, blobs } = testServices()
  const host = testServices({ store, blobs })
  const app = await register(host)
  await push(host, app)
  let removing: Promise<void> | null = null
  const removed = async ({ name }: { readonly name: string }) => {
    if (name !== versions.name) return
    removing ??= host.apps.remove('ada', app)
    await removing
  }
  const meanwhile: Pick<Store, 'insert' | 'swap'> = {
    insert: (...what) => removed(what[0]).then(() => store.insert(...what)),
    swap: (...what) => removed(what[0]).then(() => store.swap(...what)),
  }
  const other = testServices({ store: { ...store, ...meanwhile }, blobs, drawn: 100 })
  expect(await refusal(act(other, app))).toBe(`not_found: there is no app "${app}" of this user`)
  expect(await left(host)).toEqual({ versions: 0, bundles: 0, uses: 0, installs: 0 })
})

verifies.each('kept.remove.app')([
  [
    'an app that is deleted',
    ['1.0.0'],
    (host: TestServices, app: string) => host.apps.remove('ada', app),
    [],
  ],
  [
    'a release that is deleted',
    ['1.0.0'],
    (host: TestServices, app: string) => host.apps.removeRelease('ada', app, '1.0.0'),
    [],
  ],
  [
    'a newer release that is deleted',
    ['0.9.0', '1.0.0'],
    (host: TestServices, app: string) => host.apps.removeRelease('ada', app, '1.0.0'),
    ['0.9.0'],
  ],
])('%s while it is being installed is not installed', async (_, releases, remove, kept) => {
  const { store, blobs } = testServices()
  const host = testServices({ store, blobs })
  const app = await register(host)
  await push(host, app)
  for (const version of releases) await host.apps.release('ada', app, version)
  for (const version of releases.slice(0, -1)) await host.apps.install('bob', { app_id: app, version })
  let isRemoving = false
  const insert: Store['insert'] = async (...what) => {
    if (what[0].name === installs.name && !isRemoving) {
      isRemoving = true
      await remove(host, app)
    }
    return store.insert(...what)
  }
  const other = testServices({ store: { ...store, insert }, blobs, drawn: 100 })
  expect(await refusal(other.apps.install('bob', { app_id: app, version: '1.0.0' }))).toMatch(/^not_found: /)
  expect((await host.apps.installed('bob')).map(({ version }) => version)).toEqual(kept)
  expect((await left(host)).installs).toBe(kept.length)
})

verifies('kept.remove.app', 'a deleted app is gone for everybody, with what it kept', async () => {
  const services = testServices()
  const app = await register(services)
  await push(services, app)
  await services.apps.release('ada', app, '1.0.0')
  await push(services, app, testManifest(), sized(5))
  await services.apps.install('ada', { app_id: app, version: DRAFT })
  await services.apps.install('bob', { app_id: app, version: '1.0.0' })
  const { window_uuid } = await services.windows.open('bob', { app_id: app })
  expect(await refusal(services.apps.remove('bob', app))).toMatch(/^not_found: /)
  await services.apps.remove('ada', app)
  expect(await left(services)).toEqual({ versions: 0, bundles: 0, uses: 0, installs: 0 })
  expect((await services.store.get(windows, window_uuid))?.row.status).toBe('closed')
  expect(await services.apps.installed('bob')).toEqual([])
  expect(await refusal(services.apps.remove('ada', app))).toMatch(/^not_found: /)
  expect(await refusal(push(services, app))).toMatch(/^not_found: /)
  expect(await refusal(services.apps.install('bob', { app_id: app, version: '1.0.0' }))).toMatch(
    /^not_found: /,
  )
})

verifies('kept.remove.release', 'a release goes that nobody has installed or open', async () => {
  const services = testServices()
  const app = await register(services)
  await push(services, app)
  await services.apps.release('ada', app, '1.0.0')
  const remove = (user = 'ada', version = '1.0.0') => services.apps.removeRelease(user, app, version)
  const { install_id } = await services.apps.install('bob', { app_id: app, version: '1.0.0' })
  expect(await refusal(remove())).toBe('conflict: the release 1.0.0 is installed or open somewhere')
  await services.apps.uninstall('bob', install_id)
  expect(await refusal(remove('bob'))).toMatch(/^not_found: /)
  expect(await refusal(remove('ada', '9.9.9'))).toMatch(/^not_found: /)
  expect(await refusal(remove('ada', DRAFT))).toMatch(/^invalid_arg: /)
  await remove()
  // The draft has the same files.
  expect(await left(services)).toEqual({ versions: 1, bundles: 1, uses: 1, installs: 0 })
  expect(await refusal(remove())).toMatch(/^not_found: /)
})
