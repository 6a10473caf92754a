import type { ImageModelV4 } from '@ai-sdk/provider'
import type { ImageType } from '@svc/contract'
import { imageTypeOf } from '../../kernel/media.ts'
import { ModelFailure } from './failure.ts'
import { type GuardParts, watched } from './guard.ts'
import { countOrUndefined } from './spend.ts'
import { persist } from './watch.ts'

/** What a model is to draw. */
export interface ImageOrder {
  readonly prompt: string
  readonly n: number
  /** Width and height in pixels, `512x512`; the model's own where it is left out. */
  readonly size?: string | undefined
  /** The image that it is to change. */
  readonly source?: { readonly mime: string; readonly bytes: Uint8Array }
}

/** What a model drew. */
export interface ImageResult {
  readonly images: readonly { readonly mime: ImageType; readonly bytes: Uint8Array }[]
  readonly model: string
  /** Tokens, if the model reports them. */
  readonly tokens: number | undefined
}

/** Puts an image model under the rules; more images than it makes at once come one lot after another. */
export function guardedPainter(model: ImageModelV4, parts: GuardParts) {
  const { limits } = parts
  const { modelId } = model
  // While it draws it gives no sign: the total time alone bounds it.
  const patient = { ...limits, MODEL_IDLE_MS: limits.MODEL_TOTAL_MS }

  return {
    /** Whether it may change an image; one that does not say is asked, and refuses for itself. */
    edits: async () => (await model.supportsFileInputs) !== false,
    /** Draws. Errors: `ModelFailure`; the reason of `signal`. */
    paint(order: ImageOrder, signal: AbortSignal): Promise<ImageResult> {
      return watched(modelId, { ...parts, limits: patient }, signal, async (watch) => {
        const lot = Math.max(1, (await perCall(model)) ?? 1)
        const images: ImageResult['images'][number][] = []
        let name = modelId
        let tokens: number | undefined = 0
        while (images.length < order.n) {
          const n = Math.min(lot, order.n - images.length)
          const options = { ...callOf(order), n, abortSignal: watch.signal }
          const made = await persist(modelId, limits, watch, async () =>
            watch.hold(model.doGenerate(options)),
          )
          const more = made.images.map((one) => read(modelId, one, limits.UPLOAD_MAX_BYTES))
          if (more.length === 0) throw new ModelFailure(modelId, 'malformed')
          images.push(...more.slice(0, n))
          name = made.response.modelId
          const used = countOrUndefined(made.usage?.totalTokens)
          tokens = used === undefined || tokens === undefined ? undefined : tokens + used
        }
        return { images, model: name, tokens }
      })
    },
  }
}

/** The image model, held to the rules of `guardModel`. */
export type Painter = ReturnType<typeof guardedPainter>

const perCall = ({ maxImagesPerCall: max, modelId }: ImageModelV4) =>
  typeof max === 'function' ? max({ modelId }) : max

const callOf = ({ prompt, size, source }: ImageOrder) => ({
  prompt,
  size: size as `${number}x${number}` | undefined,
  aspectRatio: undefined,
  seed: undefined,
  files: source && [{ type: 'file' as const, mediaType: source.mime, data: source.bytes }],
  mask: undefined,
  providerOptions: {},
})

/** An image as it came: its bytes show its type, and an SVG is refused. */
function read(modelId: string, image: string | Uint8Array, max: number): ImageResult['images'][number] {
  const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image
  if (bytes.byteLength > max) throw new ModelFailure(modelId, 'oversize', { max, retriable: false })
  const mime = imageTypeOf(bytes)
  if (!mime) throw new ModelFailure(modelId, 'malformed')
  return { mime, bytes }
}
