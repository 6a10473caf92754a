import { MANIFEST, tarOf } from '@svc/conformance/fixtures/archives'
import { limits } from '@svc/contract'
import { expect, test } from 'vitest'
import { unpackPush } from './unpack.ts'

test('the manifest is taken out of the files', async () => {
  const bytes = tarOf({ name: 'manifest.json', body: MANIFEST }, { name: 'index.html', body: 'hello' })
  const { manifest, files } = await unpackPush('application/x-tar', bytes, limits)
  expect(manifest).toEqual({ name: 'x' })
  expect([...files.keys()]).toEqual(['index.html'])
})

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
  ['a manifest that is not JSON', [{ name: 'manifest.json', body: '{' }], 'manifest.json must be JSON'],
  [
    'a manifest that is not UTF-8',
    [{ name: 'manifest.json', body: Buffer.from([0x22, 0xff, 0x22]) }],
    'manifest.json must be UTF-8',
  ],
  [
    'a manifest that nests too deep',
    [{ name: 'manifest.json', body: '['.repeat(65) + ']'.repeat(65) }],
    'manifest.json must nest at most 64 levels deep',
  ],
])('%s is refused', async (_what, entries, message) => {
  const read = unpackPush('application/x-tar', tarOf(...entries), limits)
  await expect(read).rejects.toMatchObject({ code: 'invalid_arg', message })
})
