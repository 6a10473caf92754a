import { MANIFEST, tarOf } from '@svc/conformance/testing/archives'
import { limits } from '@svc/contract'
import { afterAll, expect, test } from 'vitest'
import { openThreads } from '../kernel/threads/threads.ts'
import { unpackPush } from './push-input.ts'

const services = { limits, threads: openThreads() }
afterAll(() => services.threads.close())

test('the manifest is taken out of the files', async () => {
  const bytes = tarOf({ name: 'manifest.json', body: MANIFEST }, { name: 'index.html', body: 'hello' })
  const { manifest, files } = await unpackPush('application/x-tar', bytes, services, 'ada')
  expect(manifest).toEqual({ name: 'x' })
  expect([...files.keys()]).toEqual(['index.html'])
})

test.each([
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"name": "ä"}')],
  ['UTF-16 as Windows writes it', Buffer.from('\ufeff{"name": "ä"}', 'utf16le')],
  ['lines of Windows', Buffer.from('{\r\n"name": "ä"\r\n}\r\n')],
])('a manifest in %s is read', async (_, body) => {
  const push = await unpackPush('application/x-tar', tarOf({ name: 'manifest.json', body }), services, 'ada')
  expect(push.manifest).toEqual({ name: 'ä' })
})

test('a long manifest is read in another thread', async () => {
  const name = 'x'.repeat(limits.BODY_APART_BYTES)
  const bytes = tarOf({ name: 'manifest.json', body: JSON.stringify({ name }) })
  const { manifest } = await unpackPush('application/x-tar', bytes, services, 'ada')
  expect(manifest).toEqual({ name })
})

const tooLong = ' '.repeat(limits.ROUTE_BODY_MAX_BYTES + 1)

test.each([
  [
    'no manifest',
    [{ name: 'index.html' }],
    'manifest.json must be at the root, beside the files of the bundle',
  ],
  ['nothing at all', [], 'the archive has no files'],
  [
    'a manifest in a folder',
    [{ name: 'app/manifest.json', body: MANIFEST }],
    'manifest.json must be at the root, beside the files of the bundle',
  ],
  [
    'a manifest that is not JSON',
    [{ name: 'manifest.json', body: '{' }],
    'manifest.json:1:2 ends too early: the { of line 1 is not closed',
  ],
  [
    'a manifest with a comment',
    [{ name: 'manifest.json', body: '{\n// a\n"name": "x"}' }],
    'manifest.json:2:1 has a comment; JSON has none',
  ],
  [
    'a manifest that is not UTF-8',
    [{ name: 'manifest.json', body: Buffer.from([0x22, 0xff, 0x22]) }],
    'manifest.json:1:2 has the byte 0xFF, which is not UTF-8; save it as UTF-8',
  ],
  [
    'a manifest that is too long',
    [{ name: 'manifest.json', body: tooLong }],
    `manifest.json must have at most ${limits.ROUTE_BODY_MAX_BYTES} bytes, got ${tooLong.length}`,
  ],
  [
    'a long manifest that is not JSON',
    [{ name: 'manifest.json', body: tooLong.slice(1) }],
    'manifest.json: the body must be JSON',
  ],
  [
    'a manifest that nests too deep',
    [{ name: 'manifest.json', body: '['.repeat(65) + ']'.repeat(65) }],
    'manifest.json: the body must nest at most 64 levels deep',
  ],
])('%s is refused', async (_what, entries, message) => {
  const read = unpackPush('application/x-tar', tarOf(...entries), services, 'ada')
  await expect(read).rejects.toMatchObject({ code: 'invalid_arg', message })
})
