import { type Attachment, type ImageType, type Limits, refuse, wrongArg } from '@svc/contract'
import { decodeLongBase64 } from '../../kernel/base64.ts'
import { isOfType } from '../../kernel/media.ts'
import { imageSizeInTurns } from '../../kernel/threads/image-size-in-turns.ts'
import type { WorkServices } from '../services.ts'
import type { Order } from './order.ts'
import type { RunParts } from './runs.ts'
import { svgFaultInTurns } from './svg.ts'

/** What a model gets of an image besides its pixels. */
interface ImageNotes {
  readonly mediaType: ImageType
  readonly filename: string | null
  /** How closely a model should look; `null`: as it likes. */
  readonly detail: NonNullable<Attachment['detail']> | null
}

/** An image of a run that passed what can be judged without the network. */
export interface JudgedImage extends ImageNotes {
  readonly source: { readonly url: URL } | { readonly bytes: Buffer }
}

/** An image as a model gets it. */
export interface Image extends ImageNotes {
  readonly bytes: Buffer
}

type Parts = Pick<WorkServices, 'limits' | 'publicFetch' | 'threads'> & {
  /** Whose images they are. */
  readonly userId: string
}

const wrong = (label: string, why: string, hint?: string) =>
  wrongArg(label, why, hint === undefined ? undefined : { hint })

/** Judges bytes by what their type says: how many there are, how they begin, how large a picture they tell. */
async function judgeBytes(parts: Parts, label: string, type: ImageType, bytes: Buffer): Promise<Buffer> {
  const { limits, threads, userId } = parts
  const { ATTACHMENT_MAX_BYTES: max, ATTACHMENT_SIDE_MAX_PX: side } = limits
  if (bytes.length > max) throw wrong(label, `must hold at most ${max} bytes, got ${bytes.length}`)
  if (!isOfType(type, bytes))
    throw wrong(label, `must hold an image of the type ${type}, but its bytes are not of that type`)
  const { width, height } = await imageSizeInTurns(threads, userId, type, bytes)
  if (Math.max(width, height) > side || Math.min(width, height) < 0)
    throw wrong(label, `must hold an image of at most ${side} x ${side} pixels, got ${width} x ${height}`)
  const fault = type === 'image/svg+xml' ? await svgFaultInTurns(threads, userId, bytes) : null
  if (fault !== null)
    throw wrong(label, fault, 'A raster image, such as a PNG of the drawing, has none of this.')
  return bytes
}

/** Bytes of strict base64 or of a `data:` URI of exactly the type; how many they are is judged before they are decoded. */
async function readData(parts: Parts, label: string, type: ImageType, data: string): Promise<Buffer> {
  const head = `data:${type};base64,`
  const isUri = /^data:/i.test(data)
  if (isUri && !data.startsWith(head)) throw wrong(label, `must begin with ${head} where it is a data: URI`)
  const text = isUri ? data.slice(head.length) : data
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const count = Math.floor((text.length * 3) / 4) - padding
  const max = parts.limits.ATTACHMENT_MAX_BYTES
  if (count > max) throw wrong(label, `must hold at most ${max} bytes, got ${count}`)
  const bytes = await decodeLongBase64(text)
  if (!bytes)
    throw wrong(label, 'must be base64 with its padding and nothing in between, or a data: URI of such')
  return judgeBytes(parts, label, type, bytes)
}

async function judge(
  parts: Parts,
  { type, url, data, filename, detail }: Attachment,
  at: number,
): Promise<JudgedImage> {
  const label = `attachments.${at}`
  const notes = { mediaType: type, filename: filename ?? null, detail: detail ?? null }
  if (url !== undefined && data !== undefined) throw wrong(label, 'must have url or data, got both')
  if (url !== undefined) return { ...notes, source: { url: parts.publicFetch.judge(url, `${label}.url`) } }
  if (data === undefined) throw wrong(label, 'must have url or data, got neither')
  return { ...notes, source: { bytes: await readData(parts, `${label}.data`, type, data) } }
}

/**
 * Judges the attachments of a run, whose types, names and details the schema judged: base64, bytes, and the text of
 * URLs. Errors: `invalid_arg` that names the attachment and the rule.
 */
export async function judgeAttachments(
  parts: Parts,
  attachments: readonly Attachment[],
): Promise<JudgedImage[]> {
  const images: JudgedImage[] = []
  // One after the other: long ones leave others their turn, and the first fault is the first one's.
  for (const [at, attachment] of attachments.entries()) images.push(await judge(parts, attachment, at))
  return images
}

/**
 * Fetches what is given by URL, when the run starts: all at once, so that `PUBLIC_FETCH_MS` bounds the whole, and all
 * stop when one fails. Errors: `invalid_arg`; the reason of `signal`.
 */
export async function loadImages(
  parts: Parts,
  images: readonly JudgedImage[],
  signal: AbortSignal,
): Promise<Image[]> {
  signal.throwIfAborted()
  if (images.length === 0) return []
  const others = new AbortController()
  const either = AbortSignal.any([signal, others.signal])
  const load = async ({ source, ...notes }: JudgedImage, at: number): Promise<Image> => {
    if ('bytes' in source) return { ...notes, bytes: source.bytes }
    const label = `attachments.${at}.url`
    const maxBytes = parts.limits.ATTACHMENT_MAX_BYTES
    const { bytes } = await parts.publicFetch.get(source.url, { maxBytes, signal: either, label })
    return { ...notes, bytes: await judgeBytes(parts, label, notes.mediaType, bytes) }
  }
  try {
    return await Promise.all(images.map(load))
  } finally {
    others.abort()
  }
}

/**
 * Refuses the images of a run where all images of its user would take more of this host's memory than they may: each
 * stays there until its run has ended. A run that is the only one with images always passes. Errors:
 * `APP_QUOTA_EXCEEDED`.
 */
export function checkImages(
  { limits, activeRuns }: Pick<RunParts, 'limits' | 'activeRuns'>,
  order: Order,
): void {
  const wanted = bytesOf(order, limits)
  if (wanted === 0) return
  const { userId } = order.caller
  const others = activeRuns.all().filter(({ row }) => row.user_id === userId)
  const used = others.reduce((sum, held) => sum + bytesOf(held.order, limits), 0)
  const max = limits.RUN_IMAGES_MAX_BYTES
  if (used === 0 || used + wanted <= max) return
  throw refuse(
    'APP_QUOTA_EXCEEDED',
    `the images of the runs that wait or run may hold ${max} bytes together, got ${used + wanted}`,
    { quota: 'images', max, used, wanted, hint: 'Wait until a run with images has ended, or cancel one.' },
  )
}

/** What images may come to: one by URL is fetched when its run starts. */
const bytesOf = ({ images }: Order, { ATTACHMENT_MAX_BYTES }: Limits): number =>
  images.reduce(
    (sum, { source }) => sum + ('bytes' in source ? source.bytes.length : ATTACHMENT_MAX_BYTES),
    0,
  )
