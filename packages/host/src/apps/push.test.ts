import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { DRAFT_VERSION, versions } from '../catalog/records.ts'
import { files, push, register } from '../testing/apps.ts'
import { readyRunner } from '../testing/runners.ts'
import { filesOf, installedDraft, refusal, testManifest, testServices } from '../testing/services.ts'
import { entryOf } from '../testing/windows.ts'
import { bundles } from './bundles.ts'

describe('pushDraft', () => {
  verifies('route.draft.push', 'keeps one version_id for good and answers the digest', async () => {
    const services = testServices()
    const app_id = await register(services)
    const first = await push(services, app_id)
    const again = await push(services, app_id)
    const other = await push(services, app_id, testManifest({ name: 'Other' }))
    expect(first).toEqual({
      version_id: expect.stringMatching(/^ver_/),
      version: DRAFT_VERSION,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(again).toEqual(first)
    expect(other).toMatchObject({ version_id: first.version_id, version: DRAFT_VERSION })
    expect(other.digest).not.toBe(first.digest)
  })

  test('first pushes at once make one draft', async () => {
    const services = testServices()
    const app_id = await register(services)
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, at) => push(services, app_id, testManifest({ name: `Notes ${at}` }))),
    )
    expect(new Set(all.map(({ version_id }) => version_id)).size).toBe(1)
    expect((await services.store.scan(versions, 'byApp', { eq: [app_id], limit: 10 })).rows).toHaveLength(1)
  })

  test('the digest does not depend on the order of keys or files, and depends on each of them', async () => {
    const services = testServices()
    const app_id = await register(services)
    const a = filesOf({ 'index.html': 'i', 'a.js': 'a' })
    const b = filesOf({ 'a.js': 'a', 'index.html': 'i' })
    const manifest = testManifest()
    const turned = { ui: manifest.ui, name: manifest.name, schema: manifest.schema }
    const { digest } = await push(services, app_id, manifest, a)
    expect((await push(services, app_id, turned, b)).digest).toBe(digest)
    const others = [filesOf({ 'index.html': 'i', 'a.js': 'b' }), filesOf({ 'index.html': 'i', 'b.js': 'a' })]
    for (const other of others)
      expect((await push(services, app_id, manifest, other)).digest).not.toBe(digest)
  })

  test('a file may be called __proto__ and is only that', async () => {
    const services = testServices()
    const app_id = await register(services)
    const odd = new Map([...files, ['__proto__', Buffer.from('p')], ['constructor/x', Buffer.from('c')]])
    const { digest } = await push(services, app_id, testManifest(), odd)
    const bundle = await services.store.get(bundles, digest)
    expect(Object.keys(bundle?.row.files ?? {}).sort()).toEqual(['__proto__', 'constructor/x', 'index.html'])
  })

  test.each([
    ['no manifest', undefined, 'invalid_arg: manifest must be an object, got nothing'],
    [
      'no views',
      testManifest({ views: [] }),
      'invalid_arg: manifest.ui.views must have at least 1 item, got []',
    ],
    [
      'an entry outside',
      testManifest({ bundle: { entry: '../index.html' } }),
      'invalid_arg: manifest.ui.bundle.entry must not have an empty part, "." or "..", got "../index.html"',
    ],
    [
      'permissions at schema 3',
      testManifest({ permissions: [] }),
      'invalid_arg: manifest.permissions is not allowed at schema 3; declare methods under ui.host_api instead, got []',
    ],
    [
      'more than its cap',
      testManifest({
        host_api: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`ns${at}`, ['x'.repeat(60)]])),
      }),
      /^invalid_arg: manifest must have at most 262144 bytes, got \d+$/,
    ],
  ])('a manifest with %s is refused', async (_what, manifest, says) => {
    const services = testServices()
    const said = await refusal(services.apps.pushDraft('ada', await register(services), { manifest, files }))
    if (typeof says === 'string') expect(said).toBe(says)
    else expect(said).toMatch(says)
  })

  test.each([
    ['a path that leads out', filesOf({ '../x': '' })],
    ['an absolute path', filesOf({ '/x': '' })],
    ['two paths but for case', filesOf({ 'x.js': '', 'X.js': '' })],
    ['a file that is a folder', filesOf({ x: '', 'x/y': '' })],
  ])('%s is refused', async (_what, bundle) => {
    const services = testServices()
    expect(await refusal(push(services, await register(services), testManifest(), bundle))).toMatch(
      /^invalid_arg: the path/,
    )
  })

  test.each(['.env', 'assets/tls.key', '.git/config', 'node_modules/a/index.js', '.DS_Store', 'main.js~'])(
    'a bundle with %s is refused by this name',
    async (name) => {
      const services = testServices()
      const bundle = new Map([...files, [name, Buffer.from('x')]])
      expect(await refusal(push(services, await register(services), testManifest(), bundle))).toMatch(
        `invalid_arg: the file ${JSON.stringify(name)} must not be in a bundle: `,
      )
    },
  )

  verifies('route.foreign', 'another user has no such app', async () => {
    const services = testServices()
    const app_id = await register(services)
    const foreign = services.apps.pushDraft('bob', app_id, { manifest: testManifest(), files })
    expect(await refusal(foreign)).toBe(`not_found: there is no app "${app_id}" of this user`)
    expect(await refusal(services.apps.release('bob', app_id, '1.0.0'))).toBe(
      `not_found: there is no app "${app_id}" of this user`,
    )
  })

  verifies('decision.acl.next_call', 'open windows read the new manifest at once and are told', async () => {
    const services = testServices()
    const { app_id, version_id } = await installedDraft(services)
    const { window_uuid } = await services.windows.open('ada', { app_id })
    await services.copies.versions.get(version_id)
    const { digest } = await push(services, app_id, testManifest({ host_api: { storage: ['get'] } }))
    expect((await services.copies.versions.get(version_id))?.row.manifest.ui.host_api.storage).toEqual([
      'get',
    ])
    expect(services.emitted).toEqual([
      {
        userId: 'ada',
        type: 'bundle_changed',
        windowUuid: window_uuid,
        payload: { app_id, version_id, entry_url: entryOf(digest, window_uuid) },
      },
    ])
  })

  test.each([
    ['a plug', 1, testManifest({ required_plugs: ['wind', 'rain'] })],
    [
      'an allow-list that leaves one out',
      1,
      testManifest({ required_plugs: ['wind'], host_api: { tools: ['rain'] } }),
    ],
    ['a plug that nobody has', 0, testManifest({ required_plugs: ['wind', 'tool-x'] })],
    [
      'an allow-list that leaves none out',
      0,
      testManifest({ required_plugs: ['wind'], host_api: { tools: ['wind'] } }),
    ],
  ])('%s more tells open windows %i times that their tools changed', async (_what, times, manifest) => {
    const plugins = ['wind', 'rain'].map((slug) => ({ slug, command: [slug] as [string] }))
    const services = testServices({ runner: readyRunner('forecast'), plugins })
    await services.plugins.ready()
    const { app_id } = await installedDraft(services, testManifest({ required_plugs: ['wind'] }))
    const { window_uuid } = await services.windows.open('ada', { app_id })
    await push(services, app_id, manifest)
    await push(services, app_id, manifest)
    const told = { userId: 'ada', type: 'tools.changed', windowUuid: window_uuid, payload: {} }
    expect(services.emittedOf('tools.changed')).toEqual(Array.from({ length: times }, () => told))
  })

  test('a push without the entry file tells nobody to reload', async () => {
    const services = testServices()
    const { app_id } = await installedDraft(services)
    await services.windows.open('ada', { app_id })
    await push(services, app_id, testManifest(), new Map())
    expect(services.emitted).toEqual([])
  })
})
