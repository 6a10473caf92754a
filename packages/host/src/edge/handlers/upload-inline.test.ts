import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type ImageType, imageTypes, type RpcResponse } from '@svc/contract'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { pictures } from '../../testing/files.ts'

let services: TestHost | undefined
afterEach(() => services?.close())

const manifest = { host_api: { upload: ['*'] } }
/** What sweeps does so once a minute, so that ten of them on the frozen clock are short. */
const _seldom = { REAPER_INTERVAL_MS: 60_000, HOST_BEAT_MS: 60_000, HOST_DEAD_MS: 180_000 }
const grants = { upload_grant: true }

async function open(options: TestHostOptions = {}): Promise<TestWindow> {
  services = await openTestHost({ manifest, grants, ...options })
  return services.openWindow()
}
const png = pictures['image/png']
const inline = { bytes_b64: png.toString('base64'), mime: 'image/png', purpose: 'avatar' }
/** What a call answers, or its code and sentence. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : `${answer.error.code}: ${answer.error.message}`
const fetched = (url: string, init?: RequestInit) => (services as TestHost).host.fetch(new Request(url, init))

describe('upload.inline', () => {
  verifies(
    ['upload.inline', 'route.files', 'files.url.absolute'],
    'answers a file_ref and an absolute URL under which the bytes stand',
    async () => {
      const window = await open()
      const { file_ref, url, ...rest } = said(await window.call('upload', 'inline', inline))
      expect(rest).toEqual({})
      expect(file_ref).toMatch(/^file_[0-9a-z]{26}$/)
      expect(url).toBe(`${services?.origin}/api/v1/svc-apps/files/${file_ref}`)
      const response = await fetched(url)
      expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
      expect(said(await window.call('upload', 'confirm', { file_ref }))).toEqual({
        url,
        file_ref,
        mime: 'image/png',
        size_bytes: png.length,
        purpose: 'avatar',
        filename: null,
      })
    },
  )

  verifies('files.url.absolute', 'begins with the listed origin that the call came to', async () => {
    const site = 'https://app.site.org'
    const window = await open({ origins: [site] })
    const call = { id: '1', window_uuid: window.windowUuid, ns: 'upload', method: 'inline', args: inline }
    const cookie = window.cookie.replace('_8787=', '=')
    const { body } = await window.post(JSON.stringify(call), { host: 'app.site.org', origin: site, cookie })
    expect(said(body as RpcResponse).url).toMatch(
      /^https:\/\/app\.site\.org\/api\/v1\/svc-apps\/files\/file_/,
    )
  })

  const jpeg = pictures['image/jpeg'].toString('base64')
  verifies.each(['upload.inline.strict', 'error.invalid_arg'])([
    ['no bytes', { bytes_b64: undefined }, 'bytes_b64 must be a string, got nothing'],
    ['empty bytes', { bytes_b64: '' }, 'bytes_b64 must have at least 1 character, got ""'],
    [
      'a data URI',
      { bytes_b64: `data:image/png;base64,${inline.bytes_b64}` },
      'bytes_b64 must be base64 text',
    ],
    ['one character', { bytes_b64: 'A' }, 'bytes_b64 must be base64 text with its padding'],
    ['padding in between', { bytes_b64: 'AA=A' }, 'bytes_b64 must be base64 text with its padding'],
    ['base64url', { bytes_b64: '-_-_' }, 'bytes_b64 must be base64 text with its padding'],
    [
      'line feeds',
      { bytes_b64: `${inline.bytes_b64.slice(0, 76)}\n${inline.bytes_b64.slice(76)}` },
      'base64 text',
    ],
    ['bytes as a list', { bytes_b64: [137, 80] }, 'bytes_b64 must be a string, got [137,80]'],
    ['the bytes of another type', { bytes_b64: jpeg }, 'the bytes of bytes_b64 are not image/png'],
    ['no type', { mime: undefined }, 'mime must be one of "image/png"'],
    ['a type in capitals', { mime: 'image/PNG' }, 'mime must be one of'],
    ['HTML', { mime: 'text/html' }, 'mime must be one of'],
    ['a script', { mime: 'text/javascript' }, 'mime must be one of'],
    ['a type with parameters', { mime: 'image/png; charset=x' }, 'mime must be one of'],
    ['no purpose', { purpose: undefined }, 'purpose must be a string, got nothing'],
    ['an invisible purpose', { purpose: ' \u200b' }, 'purpose must have a visible character'],
    ['a long purpose', { purpose: 'x'.repeat(65) }, 'purpose must have at most 64 characters'],
    ['a path as filename', { filename: '../../x' }, 'filename must be a plain name'],
    ['a backslash in filename', { filename: 'a\\b' }, 'filename must be a plain name'],
    ['two dots as filename', { filename: '..' }, 'filename must be a plain name'],
    ['NUL in filename', { filename: 'a\0.png' }, 'filename must be a plain name'],
    ['a header in filename', { filename: 'a.png\r\nX: y' }, 'filename must be a plain name'],
    ['half a character in filename', { filename: 'a\ud800' }, 'filename must be a plain name'],
    ['10 KB of filename', { filename: 'x'.repeat(10_240) }, 'filename must have at most 255 characters'],
    ['an empty filename', { filename: '' }, 'filename must have at least 1 character'],
  ])('with %s is refused', async (_name, change, sentence) => {
    const window = await open()
    const answer = said(await window.call('upload', 'inline', { ...inline, ...change }))
    expect(answer).toMatch(/^invalid_arg: /)
    expect(answer).toContain(sentence)
  })

  verifies('upload.inline.cap', 'exactly the cap passes, one byte more does not', async () => {
    const window = await open({ limits: { UPLOAD_INLINE_MAX_BYTES: 100 } })
    const send = async (size: number) =>
      said(
        await window.call('upload', 'inline', {
          bytes_b64: Buffer.alloc(size).toString('base64'),
          mime: 'application/octet-stream',
          purpose: 'cap',
        }),
      )
    expect(await send(100)).toHaveProperty('url')
    expect(await send(101)).toBe('invalid_arg: bytes_b64 must hold at most 100 bytes, got 101')
  })
})

/** What a browser does with each type, and with a name that wants out of its header. */
const kinds: [mime: string, bytes: Buffer, disposition: string, type: string][] = [
  ...imageTypes.map((type: ImageType): [string, Buffer, string, string] => [
    type,
    pictures[type],
    type === 'image/svg+xml' ? 'attachment' : 'inline',
    type,
  ]),
  ['image/svg+xml', Buffer.from('<svg><script>alert(1)</script></svg>'), 'attachment', 'image/svg+xml'],
  ['image/gif', Buffer.from('GIF89a=1/*<html><script>alert(1)</script>*/'), 'inline', 'image/gif'],
  ['text/plain', Buffer.from('<script>alert(1)</script>'), 'attachment', 'text/plain; charset=utf-8'],
  ['application/octet-stream', Buffer.from('<html>'), 'attachment', 'application/octet-stream'],
  ['application/pdf', Buffer.from('%PDF-1.7'), 'attachment', 'application/pdf'],
]

describe('a file that is shown', () => {
  let shown: TestHost
  let window: TestWindow
  beforeAll(async () => {
    shown = await openTestHost({ manifest, grants })
    window = await shown.openWindow()
  })
  afterAll(() => shown.close())

  verifies.each(['route.files', 'wall.files', 'decision.files.svg'])(kinds)(
    'a file of %s is sent with the walls of its type',
    async (mime, bytes, kind, type) => {
      const args = { bytes_b64: bytes.toString('base64'), mime, purpose: 'show', filename: `a"; x='ü.svg` }
      const { url } = said(await window.call('upload', 'inline', args))
      for (const method of ['GET', 'HEAD']) {
        const response = await shown.host.fetch(new Request(url, { method }))
        expect(response.status).toBe(200)
        expect(Object.fromEntries(response.headers)).toEqual({
          'accept-ranges': 'bytes',
          'access-control-allow-origin': '*',
          'cache-control': 'private, no-cache',
          'content-disposition': `${kind}; filename*=UTF-8''a%22%3B%20x%3D%27%C3%BC.svg`,
          'content-length': String(bytes.length),
          'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'content-type': type,
          'cross-origin-resource-policy': 'cross-origin',
          etag: expect.stringMatching(/^"[\w+/=-]+"$/),
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        })
        expect((await response.arrayBuffer()).byteLength).toBe(method === 'GET' ? bytes.length : 0)
      }
    },
  )
})
