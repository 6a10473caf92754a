import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { visible } from './rules.ts'

const { IMAGE_SIDE_MIN_PX: least, IMAGE_SIDE_MAX_PX: most } = limits

const isSize = (size: string) =>
  /^[1-9]\d*x[1-9]\d*$/.test(size) &&
  size.split('x').every((side) => Number(side) >= least && Number(side) <= most)

const order = {
  prompt: visible(limits.IMAGE_PROMPT_MAX_CHARS),
  n: z.int().min(1).max(limits.IMAGES_PER_CALL).default(1),
  size: text(limits.NAME_MAX_CHARS)
    .refine(isSize, `must be a width and a height in pixels, ${least} to ${most} each, such as 512x512`)
    .optional(),
}

const result = z.object({
  images: z.array(
    z.object({
      url: z.string(),
      file_ref: z.string(),
      mime: z.string(),
      /** The name of the model that made it; the development model's is `svc-dev`. */
      model: z.string(),
    }),
  ),
})

/** `image.*` (spec §4.2): what a model draws becomes files of the app. */
export const image = {
  generate: method({
    doc: 'Lets a model draw n images of a prompt. model_hint is taken and has no effect: a host has one image model.',
    access: 'image_grant',
    slow: true,
    args: z.object({ ...order, model_hint: text(limits.MODEL_NAME_MAX_CHARS).optional() }),
    result,
  }),
  edit: method({
    doc: 'Lets a model change an image as a prompt says. image_ref is the file_ref or the url of a file of this app.',
    access: 'image_grant',
    slow: true,
    args: z.object({ ...order, image_ref: text(limits.IMAGE_REF_MAX_CHARS).min(1) }),
    result,
  }),
}
