import { type Attachment, refuse } from '@svc/contract'
import type { House } from '../house.ts'

/** An image of a run that passed what can be judged without the network (decision 27). */
export interface JudgedImage {
  readonly mediaType: string
  readonly filename: string | null
  readonly detail: string | null
  readonly source: { readonly url: URL } | { readonly bytes: Buffer }
}

/** An image as a model gets it. */
export interface Image {
  readonly mediaType: string
  readonly bytes: Buffer
}

type Parts = Pick<House, 'limits' | 'publicFetch'>

/** Judges the attachments of a run. Errors: `invalid_arg`. */
export function judgeAttachments(_parts: Parts, attachments: readonly Attachment[]): JudgedImage[] {
  if (attachments.length > 0) throw refuse('not_implemented')
  return []
}

/** Fetches what is given by URL, when the run starts. Errors: `invalid_arg`; the reason of `signal`. */
export async function loadImages(
  _parts: Parts,
  _images: readonly JudgedImage[],
  _signal: AbortSignal,
): Promise<Image[]> {
  return []
}
