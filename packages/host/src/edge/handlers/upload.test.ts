import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { digestOf, memoryBlobs } from '@svc/state'
import { afterEach, describe, expect } from 'vitest'
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
