import type { ImageModelV4, ImageModelV4CallOptions } from '@ai-sdk/provider'
import { verifies } from '@svc/conformance/verifies'
import { type Limits, limits } from '@svc/contract'
import { frozenClock } from '@svc/node/testing'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { openMetrics } from '../../kernel/metrics.ts'
import { pictures } from '../../testing/files.ts'
import { devImages } from './dev-images.ts'
import { guardedPainter, type ImageOrder } from './image.ts'

type Answer = (options: ImageModelV4CallOptions) => Promise<readonly (string | Uint8Array)[]>

const png = pictures['image/png']
const all: Answer = async ({ n }) => Array.from({ length: n }, () => png)
const failed = (statusCode: number) => Object.assign(new Error('sk-secret'), { statusCode })

/** A painter whose requests are answered as listed, the last one again and again. */
function open(answers: readonly Answer[], change: Partial<ImageModelV4> = {}, table: Partial<Limits> = {}) {
  const clock = frozenClock()
  const asked: ImageModelV4CallOptions[] = []
  const model: ImageModelV4 = {
    specificationVersion: 'v4',
    provider: 'test',
    modelId: 'm',
    maxImagesPerCall: 2,
    async doGenerate(options) {
      asked.push(options)
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? all
      const images = (await answer(options)) as string[]
      const response = { timestamp: new Date(0), modelId: 'm-1', headers: undefined }
      return { images, warnings: [], response, usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }
    },
    ...change,
  }
  const painter = guardedPainter(model, {
    clock,
    limits: { ...limits, ...table },
    log: pino({ level: 'silent' }),
    metrics: openMetrics({ processMetrics: false }),
  })
  const caller = new AbortController()
  return {
    clock,
    asked,
    caller,
    painter,
    /** What it paints, or the reason why it did not. */
    paint: (order: Partial<ImageOrder> = {}) =>
      painter.paint({ prompt: 'a cat', n: 1, ...order }, caller.signal).then(
        ({ images, model: name, tokens }) => ({ types: images.map(({ mime }) => mime), name, tokens }),
        (error) => error.details?.reason ?? error,
      ),
  }
}

describe('a painter', () => {
  it('asks for as many at once as the model makes, and tells model and tokens', async () => {
    const { paint, asked } = open([all])
    const types = ['image/png', 'image/png', 'image/png']
    expect(await paint({ n: 3, size: '64x32' })).toEqual({ types, name: 'm-1', tokens: 6 })
    expect(asked.map(({ n, size, prompt }) => [n, size, prompt])).toEqual([
      [2, '64x32', 'a cat'],
      [1, '64x32', 'a cat'],
    ])
  })

  it.each([
    ['that says nothing of it', undefined, 1],
    ['that asks a function', async () => 3, 3],
    ['that says nonsense', 0, 1],
  ])('a model %s gets lots of its size', async (_name, maxImagesPerCall, lot) => {
    const { paint, asked } = open([all], { maxImagesPerCall })
    await paint({ n: 3 })
    expect(asked.map(({ n }) => n)).toEqual(Array.from({ length: 3 / lot }, () => lot))
  })

  it('hands the image over that is to change', async () => {
    const { paint, asked } = open([all])
    await paint({ source: { mime: 'image/png', bytes: png } })
    expect(asked[0]?.files).toEqual([{ type: 'file', mediaType: 'image/png', data: png }])
  })

  it.each([
    [undefined, true],
    [true, true],
    [Promise.resolve(false), false],
  ])('may change images unless the model says no: %j', async (supportsFileInputs, expected) => {
    const { painter } = open([], supportsFileInputs === undefined ? {} : { supportsFileInputs })
    expect(await painter.edits()).toBe(expected)
  })

  it('takes base64 and bytes, and the type from the bytes', async () => {
    const { paint } = open([async () => [png.toString('base64'), pictures['image/webp']]])
    expect(await paint({ n: 2 })).toMatchObject({ types: ['image/png', 'image/webp'] })
  })

  verifies.each('design.images.guarded')([
    ['nothing', async () => [], 'malformed'],
    ['no image', async () => [Buffer.from('<html>')], 'malformed'],
    ['an SVG', async () => [pictures['image/svg+xml']], 'malformed'],
    ['too large an image', async () => [Buffer.concat([png, Buffer.alloc(100)])], 'oversize'],
    ['that it may not', () => Promise.reject(failed(401)), 'closed'],
    ['that the request is wrong', () => Promise.reject(failed(400)), 'refused'],
  ] as [string, Answer, string][])(
    'a model that answers %s fails for that',
    async (_name, answer, reason) => {
      const { paint } = open([answer], {}, { UPLOAD_MAX_BYTES: 100 })
      expect(await paint()).toBe(reason)
    },
  )

  verifies('design.images.guarded', 'a model that is busy is asked again', async () => {
    const { paint, clock, asked } = open([() => Promise.reject(failed(503)), all])
    const painted = paint()
    await clock.advance(0)
    await clock.advance(limits.MODEL_RETRY_MS)
    expect(await painted).toMatchObject({ types: ['image/png'] })
    expect([asked.length, clock.timers]).toEqual([2, 0])
  })

  verifies('design.images.guarded', 'a model that hangs is given up after MODEL_TOTAL_MS', async () => {
    const { paint, clock, asked } = open([() => new Promise(() => {})])
    const painted = paint()
    await clock.advance(limits.MODEL_TOTAL_MS - 1)
    expect(asked[0]?.abortSignal?.aborted).toBe(false)
    await clock.advance(1)
    expect(['slow', 'silent']).toContain(await painted)
    expect([asked[0]?.abortSignal?.aborted, clock.timers]).toEqual([true, 0])
  })

  verifies('design.images.guarded', 'a caller who leaves takes the request along', async () => {
    const { paint, caller, asked, clock } = open([() => new Promise(() => {})])
    const painted = paint()
    await clock.advance(0)
    const left = new Error('left')
    caller.abort(left)
    expect(await painted).toBe(left)
    expect([asked[0]?.abortSignal?.aborted, clock.timers]).toEqual([true, 0])
  })
})

describe('the development model', () => {
  const draw = async (change: Partial<ImageModelV4CallOptions> = {}) => {
    const options = { prompt: 'a cat', n: 1, size: undefined, aspectRatio: undefined, seed: undefined }
    const more = { files: undefined, mask: undefined, providerOptions: {} }
    const { images } = await devImages().doGenerate({ ...options, ...more, ...change })
    return images.map((image) => Buffer.from(image as Uint8Array))
  }

  verifies(
    'design.dev_model',
    'draws the same for the same prompt, and something else for another',
    async () => {
      const [one, two] = await draw({ n: 2 })
      expect(await draw({ n: 2 })).toEqual([one, two])
      expect(one).not.toEqual(two)
      expect(await draw({ prompt: 'a dog' })).not.toEqual([one])
      const files = [{ type: 'file' as const, mediaType: 'image/png', data: png }]
      expect(await draw({ files })).not.toEqual([one])
      expect(one?.includes(Buffer.from('Software\0svc-dev'))).toBe(true)
    },
  )

  it.each([
    [undefined, 256, 256],
    ['16x16', 16, 16],
    ['33x17', 33, 17],
    ['4096x4096', 4_096, 4_096],
  ] as const)('draws a small file of the size %s', async (size, width, height) => {
    const [image = Buffer.alloc(0)] = await draw({ size })
    expect(image.subarray(0, 8)).toEqual(png.subarray(0, 8))
    expect([image.readUInt32BE(16), image.readUInt32BE(20)]).toEqual([width, height])
    expect(image.length).toBeLessThan(32_768)
  })
})
