import { readFileSync } from 'node:fs'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { fault, given, PNG_HEAD, png } from '../../testing/attachments.ts'
import { pictures } from '../../testing/files.ts'
import { sized } from '../../testing/images.ts'

const lines: { data: string[] } = JSON.parse(
  readFileSync(new URL('../../../../conformance/corpora/attachments.json', import.meta.url), 'utf8'),
)

const MAX = 20_971_520
const svg = (inner: string) => given('image/svg+xml', Buffer.from(`<svg>${inner}</svg>`))
const large = (size: number) =>
  given(
    'image/png',
    Buffer.concat([pictures['image/png'], Buffer.alloc(size - pictures['image/png'].length)]),
  )
const BASE64 =
  'attachments.0.data must be base64 with its padding and nothing in between, or a data: URI of such'
const NO_PNG =
  'attachments.0.data must hold an image of the type image/png, but its bytes are not of that type'
const PIXELS = 'attachments.0.data must hold an image of at most 8192 x 8192 pixels'
const NAME = /attachments\.0\.filename must/
const DETAIL = /attachments\.0\.detail must be one of "low", "high", "auto"/
const TYPE = /attachments\.0\.type must be one of "image\/png", "image\/jpeg"/

/** Every line of the corpus, put into attachments; `null`: taken. */
const cases: Readonly<Record<string, readonly (readonly [unknown, string | RegExp | null])[]>> = {
  'data:image/png;base64,iVBORw0KGgo= (ok)': [[png({ data: `data:image/png;base64,${PNG_HEAD}` }), null]],
  'iVBORw0KGgo= with type image/png (ok)': [[png({}), null]],
  'data:;base64,AAAA': [[png({ data: 'data:;base64,AAAA' }), /must begin with data:image\/png;base64,/]],
  'data:text/html;base64,PHNjcmlwdD4=': [
    [png({ data: 'data:text/html;base64,PHNjcmlwdD4=' }), /must begin with data:image\/png;base64,/],
    [{ type: 'text/html', data: 'data:text/html;base64,PHNjcmlwdD4=' }, TYPE],
  ],
  'data:image/jpeg;base64,<png bytes>': [
    [
      { type: 'image/jpeg', data: `data:image/jpeg;base64,${PNG_HEAD}` },
      /must hold an image of the type image\/jpeg/,
    ],
    [png({ data: `data:image/jpeg;base64,${PNG_HEAD}` }), /must begin with data:image\/png;base64,/],
  ],
  'DATA:IMAGE/PNG;BASE64,AAAA': [
    [png({ data: 'DATA:IMAGE/PNG;BASE64,AAAA' }), /must begin with data:image\/png;base64,/],
    [png({ data: `DATA:image/png;base64,${PNG_HEAD}` }), /must begin with data:image\/png;base64,/],
    [png({ data: `data:image/png;BASE64,${PNG_HEAD}` }), /must begin with data:image\/png;base64,/],
    [png({ data: `data:image/png;charset=utf-8;base64,${PNG_HEAD}` }), /must begin with/],
    [png({ data: 'data:image/png,%89PNG' }), /must begin with/],
    [png({ data: ` data:image/png;base64,${PNG_HEAD}` }), BASE64],
  ],
  'data:image/png;base64,A': [[png({ data: 'data:image/png;base64,A' }), BASE64]],
  'data:image/png;base64,AA=A': [[png({ data: 'data:image/png;base64,AA=A' }), BASE64]],
  'base64url -_-_': [
    [png({ data: '-_-_' }), BASE64],
    [given('image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xfb, 0xff, 0xfe])), null],
    [{ type: 'image/jpeg', data: '_9j_-__-' }, BASE64],
  ],
  'base64 with \\n every 76': [
    [png({ data: pictures['image/png'].toString('base64').replace(/.{76}/g, '$&\n') }), BASE64],
    [png({ data: `${PNG_HEAD}\n` }), BASE64],
    [png({ data: 'iVBORw0KGgo' }), BASE64],
    [png({ data: `${PNG_HEAD}=` }), BASE64],
    [png({ data: 'iVBORw0KGgp=' }), BASE64],
    [png({ data: `data:image/png;base64,${encodeURIComponent(PNG_HEAD)}` }), BASE64],
  ],
  '20971520 decoded bytes (ok) / 20971521 (reject)': [
    [large(MAX), null],
    [large(MAX + 1), `attachments.0.data must hold at most ${MAX} bytes, got ${MAX + 1}`],
    [png({ data: `data:image/png;base64,${large(MAX + 1).data}` }), /must hold at most 20971520 bytes/],
    [png({ data: '!'.repeat(30_000_000) }), /must hold at most 20971520 bytes, got 22500000/],
  ],
  // By the schema, below.
  '7 attachments': [],
  neither: [[{ type: 'image/png' }, 'attachments.0 must have url or data, got neither']],
  'url:"" with data': [
    [png({ url: '' }), 'attachments.0 must have url or data, got both'],
    [png({ url: 'https://cdn.site.org/a.png' }), 'attachments.0 must have url or data, got both'],
    [{ type: 'image/png', url: '' }, 'attachments.0.url must begin with https://'],
    [png({ data: '' }), NO_PNG],
    [png({ data: null }), /attachments\.0\.data must be a string/],
    [png({ data: undefined, url: 7 }), /attachments\.0\.url must be a string/],
  ],
  'type missing': [[{ data: PNG_HEAD }, TYPE]],
  'type image/PNG': [
    [png({ type: 'image/PNG' }), TYPE],
    [png({ type: 'image/png ' }), TYPE],
    [png({ type: 'image/jpg' }), TYPE],
    [png({ type: 'image/tiff' }), TYPE],
    [png({ type: '' }), TYPE],
    [png({ type: null }), TYPE],
    [png({ type: ['image/png'] }), TYPE],
  ],
  'type image/svg+xml with <script>': [
    [svg('<script>alert(1)</script>'), 'attachments.0.data must hold no script'],
  ],
  'svg with xlink:href=http://169.254.169.254': [
    [
      svg('<image xlink:href="http://169.254.169.254"/>'),
      'attachments.0.data must have no reference outside itself',
    ],
  ],
  'svg billion laughs': [
    [
      given(
        'image/svg+xml',
        Buffer.from(
          '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg>&b;</svg>',
        ),
      ),
      'attachments.0.data must define no entities',
    ],
  ],
  'svg foreignObject': [[svg('<foreignObject/>'), 'attachments.0.data must hold nothing but SVG']],
  'html polyglot GIF89a=1/*...*/': [
    [given('image/gif', Buffer.from('GIF89a=1/*<html><script>*/;alert(1)')), `${PIXELS}, got 12605 x 10799`],
    [given('image/svg+xml', Buffer.from('<html><svg/></html>')), /must hold an image of the type image\/svg/],
  ],
  'PNG 60000x60000 1-bit (pixel bomb, 200 KB file)': [
    [
      given('image/png', Buffer.concat([sized.png(60_000, 60_000), Buffer.alloc(200_000)])),
      `${PIXELS}, got 60000 x 60000`,
    ],
    [given('image/png', sized.png(8_192, 8_192)), null],
    [given('image/png', sized.png(1, 8_193)), `${PIXELS}, got 1 x 8193`],
    [given('image/png', sized.png(0x8000_0000, 1)), /must hold an image of at most/],
    [given('image/jpeg', sized.jpeg(60_000, 1)), `${PIXELS}, got 60000 x 1`],
    [given('image/gif', sized.gifFrame(60_000, 1)), `${PIXELS}, got 60000 x 1`],
    [given('image/webp', sized.webpExtended(16_777_216, 1)), /got 16777216 x 1$/],
  ],
  'BMP header with negative height': [
    [given('image/bmp', sized.bmp(10, -10)), `${PIXELS}, got 10 x -10`],
    [given('image/bmp', sized.bmp(10, -60_000)), `${PIXELS}, got 10 x -60000`],
    [given('image/bmp', sized.bmp(10, 10)), null],
  ],
  'WEBP RIFF size lie': [
    [
      given('image/webp', Buffer.from('RIFF\xff\xff\xff\x7fWEBP', 'latin1')),
      /must hold an image of the type image\/webp/,
    ],
    [
      given('image/webp', Buffer.from('RIFF\x04\0\0\0WEBP<html>', 'latin1')),
      /must hold an image of the type image\/webp/,
    ],
    [
      given('image/webp', Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')),
      /must hold an image of the type image\/webp/,
    ],
    [given('image/webp', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')), null],
  ],
  'filename ../../x, a\\u0000.png, a.png\\r\\nX: y, 10 KB name': [
    ...[
      '../../x',
      'a\0.png',
      'a.png\r\nX: y',
      'a'.repeat(10_240),
      'a'.repeat(256),
      '',
      '.',
      '..',
      'a/b',
      'a\\b',
      '/etc/passwd',
      'a\u007f',
      'a\u0085',
      '\ud800',
      7,
      {},
      null,
    ].map((filename) => [png({ filename }), NAME] as const),
    ...['a.png', 'ä b (1).png', '..a', 'a'.repeat(255)].map((filename) => [png({ filename }), null] as const),
  ],
  'detail: {} / 1 / "ultra"': [
    ...[{}, 1, 'ultra', '', 'HIGH', null, ['low'], true].map((detail) => [png({ detail }), DETAIL] as const),
    ...['low', 'high', 'auto', undefined].map((detail) => [png({ detail }), null] as const),
  ],
}

it('has a case for every line of the corpus', () => expect(Object.keys(cases)).toEqual(lines.data))

describe.each(Object.entries(cases).filter(([, rows]) => rows.length > 0))('%s', (_line, rows) => {
  verifies.each(['attachment.type', 'attachment.data', 'attachment.either', 'run.attachments.size'])(
    // Twenty megabytes make no name of a test.
    rows.map(([attachment, expected], at) => [at, expected, () => attachment] as const),
  )('case %i: %s', async (_at, expected, attachment) => {
    const sentence = await fault(attachment())
    if (expected instanceof RegExp) expect(sentence).toMatch(expected)
    else expect(sentence).toBe(expected)
  })
})
