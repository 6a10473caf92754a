import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { readArchive } from '@svc/node/archive'
import { expect, it } from 'vitest'
import { type Pieces, wholeOf } from '../data/app-files/pieces.ts'
import { push, register } from '../testing/apps.ts'
import { filesOf, refusal, type TestServices, testManifest, testServices } from '../testing/services.ts'

const long = `assets/${'d'.repeat(120)}/${'日'.repeat(30)}.js`
const files = { 'index.html': '<p>', [long]: 'x'.repeat(2_000), empty: '', ['__proto__']: 'p' }

async function pushed() {
  const services = testServices()
  const app = await register(services)
  const draft = await push(services, app, testManifest(), filesOf(files))
  return { services, app, draft }
}

const readFiles = async (pieces: Pieces) =>
  (await readArchive('application/x-tar', Buffer.from((await wholeOf(pieces)) ?? 'gone'), limits)).files
const textsOf = (read: ReadonlyMap<string, Uint8Array>) =>
  Object.fromEntries([...read].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))
const pushAgain = (services: TestServices, app: string, read: ReadonlyMap<string, Uint8Array>) => {
  const bundle = new Map(read)
  bundle.delete('manifest.json')
  return push(services, app, JSON.parse(textsOf(read)['manifest.json'] ?? ''), bundle)
}

verifies('route.apps.archive', 'each version has the files that were pushed as it', async () => {
  const { services, app, draft } = await pushed()
  await services.apps.release('ada', app, '1.0.0')
  await push(services, app, testManifest({ name: 'Later' }), filesOf({ 'index.html': 'later' }))
  const now = textsOf(await readFiles(await services.apps.archive('ada', app, '0.0.0-draft')))
  expect(now).toEqual({ 'index.html': 'later', 'manifest.json': expect.stringContaining('"Later"') })
  const release = await readFiles(await services.apps.archive('ada', app, '1.0.0'))
  expect(textsOf(release)).toEqual({ ...files, 'manifest.json': expect.stringContaining('"Notes"') })
  expect((await pushAgain(services, app, release)).digest).toBe(draft.digest)
})

verifies('route.apps.archive', 'a manifest of deep lists can be pushed again', async () => {
  const services = testServices()
  const app = await register(services)
  const zeros = JSON.stringify(Array(100_000).fill(0))
  const permissions = JSON.parse('['.repeat(50) + zeros + ']'.repeat(50))
  const manifest = { ...testManifest(), schema: 2, permissions }
  const draft = await push(services, app, manifest, filesOf({ 'index.html': '<p>' }))
  const read = await readFiles(await services.apps.archive('ada', app, '0.0.0-draft'))
  expect(read.get('manifest.json')?.length).toBeLessThan(limits.MANIFEST_MAX_BYTES)
  expect((await pushAgain(services, app, read)).digest).toBe(draft.digest)
})

it('a file of the bundle that has the name of the manifest is left out', async () => {
  const services = testServices()
  const app = await register(services)
  await push(services, app, testManifest(), filesOf({ 'index.html': '<p>', 'manifest.json': '{}' }))
  const read = await readFiles(await services.apps.archive('ada', app, '0.0.0-draft'))
  expect([...read.keys()]).toEqual(['manifest.json', 'index.html'])
  expect(textsOf(read)['manifest.json']).toContain('"Notes"')
})

it.each(['2.0.0', '', 'draft', '0.0.0-draft'])('there is no version %j', async (version) => {
  const services = testServices()
  const app = await register(services)
  expect(await refusal(services.apps.archive('ada', app, version))).toBe(
    `not_found: there is no version ${JSON.stringify(version)} of the app "${app}" for this user`,
  )
})

verifies.each('route.apps.archive.cut')<
  [what: string, go: (at: Awaited<ReturnType<typeof pushed>>) => unknown]
>([
  ['the app was deleted', ({ services, app }) => services.apps.remove('ada', app)],
  [
    'another draft was pushed',
    ({ services, app }) => push(services, app, testManifest(), filesOf({ 'index.html': 'other' })),
  ],
])('there is no part left of files that have gone: %s', async (_what, go) => {
  const at = await pushed()
  const archive = await at.services.apps.archive('ada', at.app, '0.0.0-draft')
  expect(await archive.slice(0, archive.size)).not.toBeNull()
  await go(at)
  expect(await archive.slice(0, archive.size)).toBeNull()
})
