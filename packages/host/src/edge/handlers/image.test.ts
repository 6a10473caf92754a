import type { ImageModelV4 } from '@ai-sdk/provider'
import {
  openTestHost,
  type TestHost,
  type TestHostOptions,
  type TestWindow,
} from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import type { RpcResponse } from '@svc/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { devModel } from '../../models/providers/dev-model.ts'
import { pictures } from '../../testing/files.ts'

let services: TestHost | undefined
afterEach(() => services?.close())

const manifest = { host_api: { image: ['*'], upload: ['*'] } }
const grants = { image_grant: true, upload_grant: true }

async function open(options: TestHostOptions = {}): Promise<TestWindow> {
  services = await openTestHost({ manifest, grants, ...options })
  return services.openWindow()
}
/** What a call answers, or its code and sentence. */
const said = (answer: RpcResponse) =>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results of every shape.
  answer.ok ? (answer.result as any) : `${answer.error.code}: ${answer.error.message}`
const fetched = (url: string) => (services as TestHost).host.fetch(new Request(url))
const call = async (window: TestWindow, method: string, args: unknown) =>
  said(await window.call('image', method, args))

verifies.each('access.image_grant')([
  ['declared and granted', manifest, grants, 'ok'],
  ['declared without the grant', manifest, { upload_grant: true }, 'grant'],
  ['granted for another method', { host_api: { image: ['edit'] } }, grants, 'manifest'],
  ['granted and not declared', {}, grants, 'manifest'],
] as const)('an image %s is decided by: %s', async (_name, declared, granted, expected) => {
  const window = await open({
    manifest: declared as NonNullable<TestHostOptions['manifest']>,
    grants: granted,
  })
  const answer = await window.call('image', 'generate', { prompt: 'a cat' })
  if (answer.ok) return expect('ok').toBe(expected)
  expect(answer.error).toMatchObject({ code: 'permission_denied', details: { denied_by: expected } })
})

describe('image.generate', () => {
  verifies(
    ['image.generate', 'files.url.absolute', 'design.dev_model'],
    'with nothing configured answers files of the development model, under absolute URLs',
    async () => {
      const window = await open()
      const args = { prompt: 'a cat', n: 2, size: '64x32', model_hint: 'whatever' }
      const { images } = await call(window, 'generate', args)
      expect(images).toHaveLength(2)
      for (const { url, file_ref, mime, model } of images) {
        expect([url, mime, model]).toEqual([
          `${services?.origin}/api/v1/svc-apps/files/${file_ref}`,
          'image/png',
          'svc-dev',
        ])
        const response = await fetched(url)
        const bytes = Buffer.from(await response.arrayBuffer())
        expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
        expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([64, 32])
      }
    },
  )

  verifies.each('image.strict')([
    [{ prompt: undefined }, 'prompt must be a string, got nothing'],
    [{ prompt: '' }, 'prompt must have at least 1 character'],
    [{ prompt: ' \u200b' }, 'prompt must have a visible character'],
    [{ prompt: 'x'.repeat(8_001) }, 'prompt must have at most 8000 characters'],
    [{ n: 0 }, 'n must be at least 1, got 0'],
    [{ n: 5 }, 'n must be at most 4, got 5'],
    [{ n: '2' }, 'n must be a number, got "2"'],
    [{ size: '15x16' }, 'size must be a width and a height in pixels'],
    [{ size: '4097x16' }, 'size must be a width and a height in pixels'],
    [{ size: '016x16' }, 'size must be a width and a height in pixels'],
    [{ size: '16 x 16' }, 'size must be a width and a height in pixels'],
    [{ size: 'auto' }, 'size must be a width and a height in pixels'],
    [{ size: 16 }, 'size must be a string, got 16'],
  ])('with %j is refused', async (change, sentence) => {
    const window = await open()
    const answer = await call(window, 'generate', { prompt: 'a cat', ...change })
    expect(answer).toMatch(/^invalid_arg: /)
    expect(answer).toContain(sentence)
  })

  verifies('image.quota', 'each image counts against images_per_day, and none past it', async () => {
    const window = await open({ quotas: { images_per_day: 3 } })
    expect(await call(window, 'generate', { prompt: 'a', n: 2 })).toHaveProperty('images')
    const denied = await window.call('image', 'generate', { prompt: 'a', n: 2 })
    expect(denied).toMatchObject({
      ok: false,
      error: { code: 'quota_exceeded', details: { quota: 'images_per_day', max: 3, used: 2, wanted: 2 } },
    })
    const ones = await Promise.all([1, 2, 3].map(() => call(window, 'generate', { prompt: 'b' })))
    expect(ones.filter((one) => typeof one !== 'string')).toHaveLength(1)
  })

  it('keeps all images of a call or none', async () => {
    const window = await open({ limits: { FILES_PER_APP: 2 } })
    expect(await call(window, 'generate', { prompt: 'a', n: 3 })).toMatch(/^quota_exceeded: an app may keep/)
    expect((await call(window, 'generate', { prompt: 'a', n: 2 })).images).toHaveLength(2)
  })
})

const broken: ImageModelV4 = {
  specificationVersion: 'v4',
  provider: 'test',
  modelId: 'broken',
  maxImagesPerCall: 4,
  supportsFileInputs: false,
  doGenerate: () => Promise.reject(Object.assign(new Error('key sk-secret is wrong'), { statusCode: 401 })),
}

verifies(
  'image.configured',
  'a model of the operator is asked, and its failure tells nothing of it',
  async () => {
    const window = await open({ imageModel: broken })
    const { file_ref } = said(
      await window.call('upload', 'inline', {
        bytes_b64: pictures['image/png'].toString('base64'),
        mime: 'image/png',
        purpose: 'source',
      }),
    )
    expect(await call(window, 'generate', { prompt: 'a cat' })).toBe(
      `internal_error: the model "broken" does not take this host's requests`,
    )
    expect(await call(window, 'edit', { prompt: 'a dog', image_ref: file_ref })).toBe(
      'not_implemented: the image model of this host generates images and cannot edit them',
    )
  },
)

verifies('image.configured', 'a host without one does not offer it', async () => {
  const window = await open({ models: { default: { model: devModel() } } })
  for (const method of ['generate', 'edit'])
    expect(await call(window, method, { prompt: 'a', image_ref: 'x' })).toMatch(/^not_implemented: /)
  const hello = said(await window.call('window', 'hello'))
  expect(hello.capabilities.methods.filter((name: string) => name.startsWith('image.'))).toEqual([])
})

describe('image.edit', () => {
  const inline = (window: TestWindow, mime: 'image/png' | 'image/svg+xml') =>
    window.call('upload', 'inline', { bytes_b64: pictures[mime].toString('base64'), mime, purpose: 'source' })

  verifies('image.edit', 'takes a file of this app by its file_ref or its url', async () => {
    const window = await open()
    const { file_ref, url } = said(await inline(window, 'image/png'))
    const [byRef, byUrl] = await Promise.all(
      [file_ref, url].map((image_ref) => call(window, 'edit', { prompt: 'a dog', image_ref })),
    )
    const bytes = async ({ images }: { images: { url: string }[] }) => {
      const response = await fetched(images[0]?.url ?? '')
      return Buffer.from(await response.arrayBuffer())
    }
    expect(await bytes(byRef)).toEqual(await bytes(byUrl))
    const again = await call(window, 'edit', { prompt: 'a dog', image_ref: byRef.images[0].file_ref })
    expect(await bytes(again)).not.toEqual(await bytes(byRef))
  })

  verifies('image.own_source', 'takes nothing else, and fetches nothing', async () => {
    const window = await open()
    const svg = said(await inline(window, 'image/svg+xml'))
    const waiting = said(
      await window.call('upload', 'negotiate', { mime: 'image/png', purpose: 'x', size_bytes: 9 }),
    )
    const edit = (image_ref: unknown) => call(window, 'edit', { prompt: 'a dog', image_ref })
    expect(await edit(svg.file_ref)).toBe(
      'invalid_arg: image_ref must be a PNG, JPEG, GIF, WebP or BMP, got image/svg+xml',
    )
    expect(await edit(waiting.file_ref)).toBe('invalid_arg: image_ref must be a file that is confirmed')
    expect(await edit(undefined)).toBe('invalid_arg: image_ref must be a string, got nothing')
    const unknown = [
      'file_unknown',
      'http://169.254.169.254/latest/meta-data',
      'https://example.org/api/v1/svc-apps/files/x',
      `${svg.url}/../x`,
      'data:image/png;base64,iVBORw0KGgo=',
    ]
    for (const image_ref of unknown)
      expect(await edit(image_ref)).toMatch(/^not_found: there is no file ".*" of this app$/)
  })

  verifies(['image.own_source', 'wall.own_keys'], "another user's file reads as none", async () => {
    const window = await open()
    const { file_ref } = said(await inline(window, 'image/png'))
    const bob = await services?.signIn('bob')
    await services?.host.apps.release('ada', services.appId, '1.0.0')
    await services?.host.apps.install('bob', { app_id: services.appId, version: '1.0.0', grants })
    const foreign = await (services as TestHost).openWindow(undefined, undefined, bob)
    expect(await call(foreign, 'edit', { prompt: 'x', image_ref: file_ref })).toMatch(/^not_found: /)
  })
})
