import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type ImageType, imageTypes, type RpcResponse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { digestOf, memoryBlobs } from '@svc/state'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { pictures } from '../../testing/files.ts'

let services: TestHost | undefined
afterEach(() => services?.close())

const manifest = { host_api: { upload: ['*'] } }
/** What sweeps does so once a minute, so that ten of them on the frozen clock are short. */
const seldom = { REAPER_INTERVAL_MS: 60_000, HOST_BEAT_MS: 60_000, HOST_DEAD_MS: 180_000 }
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

verifies.each(['access.upload_grant', 'error.permission_denied.grant'])([
  ['declared and granted', manifest, grants, 'ok'],
  ['granted for this method', { host_api: { upload: ['inline'] } }, grants, 'ok'],
  ['granted for another method', { host_api: { upload: ['confirm'] } }, grants, 'manifest'],
  ['declared without the grant', manifest, {}, 'grant'],
  ['declared with the grant off', manifest, { upload_grant: false }, 'grant'],
  ['declared with another grant', manifest, { image_grant: true }, 'grant'],
  ['granted and not declared', {}, grants, 'manifest'],
] as const)('an upload %s is decided by: %s', async (_name, declared, granted, expected) => {
  const window = await open({
    manifest: declared as NonNullable<TestHostOptions['manifest']>,
    grants: granted,
  })
  const answer = await window.call('upload', 'inline', inline)
  if (answer.ok) return expect('ok').toBe(expected)
  expect(answer.error).toMatchObject({ code: 'permission_denied', details: { denied_by: expected } })
  if (expected === 'grant')
    expect(answer.error.details?.hint).toBe('Install the app with upload_grant: true.')
})

describe('upload.list and upload.delete', () => {
  const limits = { FILES_PER_APP: 3 }
  const keep = async (window: TestWindow, purpose: string) =>
    said(await window.call('upload', 'inline', { ...inline, purpose })).file_ref

  verifies(
    'upload.list',
    'lists files and uploads under way of this app and user, oldest first, by pages',
    async () => {
      const clock = frozenClock(Date.UTC(2030, 0, 1))
      const window = await open({ clock, limits: seldom })
      const first = await keep(window, 'one')
      await clock.advance(1_000)
      const { file_ref: second } = said(
        await window.call('upload', 'negotiate', {
          mime: 'text/csv',
          purpose: 'two',
          size_bytes: 7,
          filename: 'a.csv',
        }),
      )
      await clock.advance(1_000)
      const third = await keep(window, 'three')
      const page = said(await window.call('upload', 'list', { limit: 2 }))
      expect(page.items).toEqual([
        {
          file_ref: first,
          url: `${services?.origin}/api/v1/svc-apps/files/${first}`,
          mime: 'image/png',
          size_bytes: png.length,
          purpose: 'one',
          filename: null,
          created_at: '2030-01-01T00:00:00.000Z',
        },
        {
          file_ref: second,
          url: null,
          mime: 'text/csv',
          size_bytes: 7,
          purpose: 'two',
          filename: 'a.csv',
          created_at: '2030-01-01T00:00:01.000Z',
        },
      ])
      const rest = said(await window.call('upload', 'list', { cursor: page.next_cursor }))
      expect([rest.items.map(({ file_ref }: { file_ref: string }) => file_ref), rest.next_cursor]).toEqual([
        [third],
        null,
      ])
      expect(said(await window.call('upload', 'list', { cursor: 'x' }))).toMatch(
        /^invalid_arg: cursor must be/,
      )
      await clock.advance(10 * 60_000)
      const { items } = said(await (await (services as TestHost).openWindow()).call('upload', 'list'))
      expect(items.map(({ purpose }: { purpose: string }) => purpose)).toEqual(['one', 'three'])
    },
  )

  verifies('upload.delete', 'deletes what is its own, and frees its place at once', async () => {
    const window = await open({ limits })
    const refs = [await keep(window, 'one'), await keep(window, 'two'), await keep(window, 'three')]
    const full = await window.call('upload', 'inline', inline)
    expect(full).toMatchObject({
      error: {
        code: 'quota_exceeded',
        details: { limit: 'FILES_PER_APP', hint: expect.stringContaining('svc.upload.delete()') },
      },
    })
    const url = `${services?.origin}/api/v1/svc-apps/files/${refs[1]}`
    expect((await fetched(url)).status).toBe(200)
    expect(said(await window.call('upload', 'delete', { file_ref: refs[1] }))).toEqual({ deleted: true })
    expect((await fetched(url)).status).toBe(404)
    for (const file_ref of [refs[1], 'file_nosuch'])
      expect(said(await window.call('upload', 'delete', { file_ref }))).toMatch(/^not_found: /)
    const fourth = await keep(window, 'four')
    const { items } = said(await window.call('upload', 'list'))
    expect(items.map(({ file_ref }: { file_ref: string }) => file_ref).sort()).toEqual(
      [refs[0], refs[2], fourth].sort(),
    )
  })

  verifies('upload.delete', 'takes the bytes at once, with the last file that has them', async () => {
    const blobs = memoryBlobs()
    const window = await open({ blobs })
    const refs = [await keep(window, 'one'), await keep(window, 'two')]
    const has = async () => (await blobs.get(digestOf(png))) !== null
    for (const [file_ref, left] of [
      [refs[0], true],
      [refs[1], false],
    ] as const) {
      expect(said(await window.call('upload', 'delete', { file_ref }))).toEqual({ deleted: true })
      expect(await has()).toBe(left)
    }
  })

  verifies(['upload.list', 'upload.delete'], 'neither shows nor deletes what another user has', async () => {
    const window = await open()
    const file_ref = await keep(window, 'mine')
    const at = services as TestHost
    await at.host.apps.release('ada', at.appId, '1.0.0')
    const cookie = await at.signIn('bob')
    await at.host.apps.install('bob', { app_id: at.appId, version: '1.0.0', grants })
    const bob = await at.openWindow(undefined, undefined, cookie)
    expect(said(await bob.call('upload', 'list')).items).toEqual([])
    expect(said(await bob.call('upload', 'delete', { file_ref }))).toMatch(/^not_found: /)
    expect(said(await window.call('upload', 'list')).items).toHaveLength(1)
  })

  verifies('access.upload_grant', 'needs both in the manifest, and the grant', async () => {
    const window = await open({ manifest: { host_api: { upload: ['inline'] } } })
    for (const method of ['list', 'delete'])
      expect(said(await window.call('upload', method, {}))).toMatch(/^permission_denied: /)
  })
})

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
    const { body } = await window.post(JSON.stringify(call), { host: 'app.site.org', origin: site })
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

describe('upload.negotiate', () => {
  verifies(
    ['upload.negotiate', 'upload.confirm', 'route.uploads', 'files.url.absolute'],
    'answers an absolute URL that takes the bytes, and confirm where they stand',
    async () => {
      const window = await open()
      const args = { mime: 'image/png', purpose: 'photo', size_bytes: png.length, filename: 'a.png' }
      const { upload_url, file_ref, ...rest } = said(await window.call('upload', 'negotiate', args))
      expect(rest).toEqual({})
      expect(upload_url).toMatch(
        new RegExp(`^${services?.origin}/api/v1/svc-apps/uploads/${file_ref}\\?sig=[\\w.-]+$`),
      )
      expect(said(await window.call('upload', 'confirm', { file_ref }))).toMatch(
        /^invalid_arg: .*not been received yet$/,
      )
      const put = await fetched(upload_url, { method: 'PUT', body: png })
      expect([put.status, await put.json()]).toEqual([200, { file_ref, size_bytes: png.length }])
      const url = `${services?.origin}/api/v1/svc-apps/files/${file_ref}`
      expect((await fetched(url)).status).toBe(404)
      expect(said(await window.call('upload', 'confirm', { file_ref }))).toEqual({
        url,
        file_ref,
        mime: 'image/png',
        size_bytes: png.length,
        purpose: 'photo',
        filename: 'a.png',
      })
      expect(Buffer.from(await (await fetched(url)).arrayBuffer())).toEqual(png)
    },
  )

  verifies.each('upload.negotiate')([
    [{ size_bytes: 0 }, 'size_bytes must be at least 1, got 0'],
    [{ size_bytes: -1 }, 'size_bytes must be at least 1, got -1'],
    [{ size_bytes: 1.5 }, 'size_bytes must be an integer, got 1.5'],
    [{ size_bytes: '5' }, 'size_bytes must be a number, got "5"'],
    [{ size_bytes: 20_971_521 }, 'size_bytes must be at most 20971520, got 20971521'],
    [{ size_bytes: undefined }, 'size_bytes must be a number, got nothing'],
    [{ mime: 'text/html' }, 'mime must be one of'],
    [{ purpose: '' }, 'purpose must have at least 1 character'],
    [{ filename: 'a/b' }, 'filename must be a plain name'],
  ])('with %j is refused', async (change, sentence) => {
    const window = await open()
    const args = { mime: 'image/png', purpose: 'photo', size_bytes: 20_971_520, ...change }
    const answer = said(await window.call('upload', 'negotiate', args))
    expect(answer).toMatch(/^invalid_arg: /)
    expect(answer).toContain(sentence)
  })

  verifies('error.quota_exceeded.files', 'past the caps of the app is quota_exceeded', async () => {
    const window = await open({ limits: { FILES_PER_APP: 1 } })
    const args = { mime: 'image/png', purpose: 'photo', size_bytes: 1 }
    await window.call('upload', 'negotiate', args)
    expect(await window.call('upload', 'negotiate', args)).toMatchObject({
      ok: false,
      error: { code: 'quota_exceeded', details: { limit: 'FILES_PER_APP', max: 1 } },
    })
  })
})

verifies(
  ['wall.own_keys', 'decision.upload.owner'],
  "another user's file, and one of another app, read as none",
  async () => {
    const window = await open()
    const { file_ref } = said(await window.call('upload', 'inline', inline))
    const bob = await services?.signIn('bob')
    await services?.host.apps.release('ada', services.appId, '1.0.0')
    await services?.host.apps.install('bob', { app_id: services.appId, version: '1.0.0', grants })
    const foreign = await (services as TestHost).openWindow(undefined, undefined, bob)
    expect(said(await foreign.call('upload', 'confirm', { file_ref }))).toBe(
      `not_found: there is no file "${file_ref}" of this app`,
    )
    expect(said(await window.call('upload', 'confirm', { file_ref }))).toMatchObject({ file_ref })
  },
)

verifies('decision.upload.uninstalled', 'files go when their app is uninstalled, bytes and all', async () => {
  const blobs = memoryBlobs()
  const clock = frozenClock()
  const window = await open({
    clock,
    blobs,
  })
  const { url } = said(await window.call('upload', 'inline', inline))
  const [install] = await (services as TestHost).host.apps.installed('ada')
  await services?.host.apps.uninstall('ada', install?.install_id ?? '')
  expect((await fetched(url)).status).toBe(404)
  expect(await blobs.get(digestOf(png))).toBeNull()
})
