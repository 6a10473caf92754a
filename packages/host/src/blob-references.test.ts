import { expect, it } from 'vitest'
import { blobReferences } from './blob-references.ts'

const content = (digest: string) => ({ digest })
const none = { needs: [], uses: [] }

it.each([
  ['files', { state: 'waiting', digest: null }, none],
  ['files', { state: 'arriving', digest: 'd' }, { needs: [], uses: ['d'] }],
  ['files', { state: 'stored', digest: 'd' }, { needs: ['d'], uses: [] }],
  ['files', { state: 'ready', digest: 'd' }, { needs: ['d'], uses: [] }],
  ['files', { state: 'gone', digest: 'd' }, { needs: [], uses: ['d'] }],
  ['app_files', { live: null, arriving: [], leaving: [] }, none],
  [
    'app_files',
    { live: content('a'), arriving: [content('b')], leaving: [content('c')] },
    { needs: ['a'], uses: ['b', 'c'] },
  ],
  ['versions', { files: { 'index.html': content('a') } }, { needs: ['a'], uses: [] }],
  ['bundles', { files: { 'index.html': content('a') } }, { needs: [], uses: ['a'] }],
  ['file_uses', { file: 'a', holder: 'b' }, { needs: [], uses: ['a'] }],
  ['late_uses', { file: 'a', holder: 'b', due_at: 1 }, { needs: [], uses: ['a'] }],
  ['removals', { digest: 'a', host_id: 'h', epoch: 1 }, { needs: [], uses: ['a'] }],
])('a row of %s, %j, names %j', (collection, row, named) => {
  expect(blobReferences[collection]?.(row as never)).toEqual(named)
})
