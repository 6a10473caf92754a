import { type Handlers, type Methods, type ResultOf, refuse, wrongArg } from '@svc/contract'
import { deleteFile } from '../../data/uploads/drop.ts'
import { fileUrl, ownerOf, ownFile } from '../../data/uploads/file.ts'
import { keepFile } from '../../data/uploads/keep.ts'
import { isInline } from '../../kernel/media.ts'
import { paths } from '../../kernel/request/paths.ts'
import type { ImageOrder, ImageResult } from '../../models/providers/image.ts'
import { guessTokens, spend } from '../../models/providers/spend.ts'
import { type CallContext, spenderOf } from './context.ts'

type Images = ResultOf<Methods['image']['generate']>

/** Handlers of `image.*`: each image counts against the day's quota and becomes a file. */
export const image: Handlers<'image', CallContext> = {
  generate: ({ prompt, n, size }, context) => paint(context, { prompt, n, size }),

  async edit({ prompt, image_ref, n, size }, context) {
    const source = await sourceOf(context, image_ref)
    if (!(await context.services.models.painter?.edits()))
      throw refuse('not_implemented', 'the image model of this host generates images and cannot edit them')
    return paint(context, { prompt, n, size, source })
  },
}

async function paint(context: CallContext, order: ImageOrder): Promise<Images> {
  const { services } = context
  const { painter } = services.models
  if (!painter) throw refuse('not_implemented', 'this host has no image model')
  const asked = guessTokens([order.prompt], services.limits)
  const painted = await spend(
    spenderOf(context),
    { counted: 'images', count: order.n, tokens: asked },
    async (signal) => {
      const done = await painter.paint(order, signal)
      const totalTokens = done.tokens ?? asked
      return { ...done, usage: { inputTokens: totalTokens, outputTokens: 0, totalTokens } }
    },
  )
  return keep(context, painted)
}

/** Keeps all of them or none. */
async function keep(context: CallContext, { images, model }: ImageResult): Promise<Images> {
  const { services } = context
  const kept: Images['images'] = []
  try {
    for (const { mime, bytes } of images) {
      const { id } = await keepFile(services, ownerOf(context), {
        mime,
        bytes,
        purpose: 'image',
        filename: null,
      })
      kept.push({ url: fileUrl(context, id), file_ref: id, mime, model })
    }
  } catch (error) {
    for (const { file_ref } of kept) await deleteFile(services, file_ref).catch(() => undefined)
    throw error
  }
  return { images: kept }
}

/** The image that a `file_ref`, or the URL of a file at this host, means. Errors: `not_found`, `invalid_arg`. */
async function sourceOf(context: CallContext, imageRef: string): Promise<NonNullable<ImageOrder['source']>> {
  const { services, origin } = context
  const base = `${origin}${paths.files}`
  const fileRef = imageRef.startsWith(base) ? imageRef.slice(base.length) : imageRef
  const { mime, digest, state } = (await ownFile(services, ownerOf(context), fileRef)).row
  if (!isInline(mime)) throw wrongArg('image_ref', `must be a PNG, JPEG, GIF, WebP or BMP, got ${mime}`)
  const bytes = state === 'ready' && digest !== null ? await services.blobs.get(digest) : null
  if (!bytes) throw wrongArg('image_ref', 'must be a file that is confirmed')
  return { mime, bytes }
}
