import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { madePieces, wholeOf } from '../data/app-files/pieces.ts'
import { documentPieces } from './document-pieces.ts'
import { prelude } from './prelude.ts'

const own = { windowUuid: 'w-1', browser: [], policy: `img-src "a"` }
const gate =
  '<svg><style><b>This app was not started: something between this page and its host changed its document.</b><plaintext hidden></style>-->'
const script = `<meta http-equiv="content-security-policy" content="img-src &quot;a&quot;"><script data-window="w-1">${prelude}</script>${gate}`

verifies.each('wall.bundle.prelude')([
  ['a page', '<!doctype html><p>x', `<!doctype html>${script}<!doctype html><p>x`],
  ['a page without a doctype', '<p>x', `${script}<p>x`],
  [
    'an old doctype',
    '<!DOCTYPE html PUBLIC "a>b">',
    `<!DOCTYPE html PUBLIC "a>${script}<!DOCTYPE html PUBLIC "a>b">`,
  ],
  [
    'comments first',
    '<!-- a --> <!-- <p> -->\n<!doctype html>',
    `<!doctype html>${script}<!-- a --> <!-- <p> -->\n<!doctype html>`,
  ],
  ['a doctype in a comment', '<!-- <!doctype html> ', `${script}<!-- <!doctype html> `],
  ['a doctype after text', 'x<!doctype html>', `${script}x<!doctype html>`],
  ['a byte order mark', '\ufeff<!doctype html>ü', `<!doctype html>${script}<!doctype html>ü`],
  ['nothing', '', script],
  ['a script first', '<script src=a.js></script>', `${script}<script src=a.js></script>`],
  ['frames', '<iframe src=a></iframe><FRAME><object/>', `${script}<xframe src=a></iframe><xRAME><xbject/>`],
  ['what is named alike', '<iframes><object-list>', `${script}<iframes><object-list>`],
  ['a frame at the end', '<p><iframe', `${script}<p><xframe`],
])('%s begins with the prelude', async (_, file, served) => {
  const pieces = await documentPieces(madePieces(Buffer.from(file)), own)
  const whole = pieces && (await wholeOf(pieces))
  expect(whole && Buffer.from(whole).toString()).toBe(served)
  expect(pieces?.size).toBe(Buffer.byteLength(served))
})

verifies.each('wall.bundle.prelude')([1, 2, 3, 5, 7, 16])(
  'pieces of %d bytes make the same document, wherever a tag is cut',
  async (bytes) => {
    const file = '<!doctype html><p>ä<iframe src=x></iframe><fencedframe ><embed/><object>'
    const pieces = await documentPieces(madePieces(Buffer.from(file)), own)
    if (!pieces) throw new Error('the file has gone')
    const read: Uint8Array[] = []
    for (let at = 0; at < pieces.size; at += bytes) {
      const piece = await pieces.slice(at, Math.min(pieces.size, at + bytes))
      read.push(piece ?? Buffer.from('gone'))
    }
    expect(Buffer.concat(read)).toEqual(Buffer.from((await wholeOf(pieces)) ?? 'gone'))
  },
)

verifies('wall.bundle.prelude', 'the tag of a document names the prelude besides the file', async () => {
  const pieces = await documentPieces({ ...madePieces(Buffer.from('x')), etag: '"abc"' }, own)
  expect(pieces?.etag).toMatch(/^"abc-[0-9a-f]{16}"$/)
})
