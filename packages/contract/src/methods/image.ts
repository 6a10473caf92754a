import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { visible } from './rules.ts'

const { IMAGE_SIDE_MIN_PX: least, IMAGE_SIDE_MAX_PX: most } = limits

const isSize = (size: string) =>
  /^[1-9]\d*x[1-9]\d*$/.test(size) &&
  size.split('x').every((side) => Number(side) >= least && Number(side) <= most)

const order = {
  prompt: visible(limits.IMAGE_PROMPT_MAX_CHARS).describe('What to draw.'),
  n: z.int().min(1).max(limits.IMAGES_PER_CALL).default(1).describe('How many images.'),
  size: text(limits.NAME_MAX_CHARS)
    .refine(isSize, `must be a width and a height in pixels, ${least} to ${most} each, such as 512x512`)
    .optional()
    .describe(`Width and height in pixels, ${least} to ${most} each, such as \`512x512\`.`),
}

const result = z.object({
  images: z
    .array(
      z.object({
        url: z.string().describe('Where it can be shown from; public to whoever knows it.'),
        file_ref: z.string().describe('What `edit` takes as `image_ref`.'),
        mime: z.string().describe('Its media type.'),
        model: z.string().describe('The name of the model that made it; the development model is `svc-dev`.'),
      }),
    )
    .describe('The images.'),
})

/** `image.*`: what a model draws becomes files of the app. */
export const image = {
  generate: method({
    doc: 'Lets a model draw images. They become files of the app.',
    access: 'image_grant',
    rate: 'costly',
    slow: true,
    args: () =>
      z.object({
        ...order,
        model_hint: text(limits.MODEL_NAME_MAX_CHARS)
          .optional()
          .describe('Has no effect: a host has one image model.'),
      }),
    result,
    errors: ['quota_exceeded', 'not_implemented', 'rate_limited'],
    example: "const { images } = await svc.image.generate({ prompt: 'A red fox', size: '512x512' })",
  }),
  edit: method({
    doc: 'Lets a model change an image of this app. The results become files of the app.',
    access: 'image_grant',
    rate: 'costly',
    slow: true,
    args: () =>
      z.object({
        ...order,
        image_ref: text(limits.IMAGE_REF_MAX_CHARS)
          .min(1)
          .describe('The `file_ref` or the `url` of a file of this app.'),
      }),
    result,
    errors: ['not_found', 'quota_exceeded', 'not_implemented', 'rate_limited'],
    example: "const { images } = await svc.image.edit({ prompt: 'Make it blue', image_ref: file_ref })",
  }),
}
