import type { ImageType } from '@svc/contract'
import { copyInTurns } from '@svc/state'
import { type ImageSize, imageSizeOf } from './image-size.ts'
import { workScript } from './read-in-thread.ts'
import type { imageSizeHere } from './thread-work.ts'
import type { Threads } from './threads.ts'

/** From this size on the parts of an image are gone through in another thread: a hostile one has millions. */
const APART_BYTES = 1_048_576
/** Types whose width and height may be anywhere in the file. */
const WALKED: ReadonlySet<ImageType> = new Set(['image/jpeg', 'image/gif'])
const script = workScript('imageSizeHere' satisfies typeof imageSizeHere.name)

/** The size that an image of a user tells (`imageSizeOf`); a large one leaves others their turn. */
export async function imageSizeInTurns(
  threads: Threads,
  userId: string,
  type: ImageType,
  bytes: Buffer,
): Promise<ImageSize> {
  if (bytes.length < APART_BYTES || !WALKED.has(type)) return imageSizeOf(type, bytes)
  const copy = await copyInTurns(bytes)
  const given = { type, bytes: copy }
  return threads.run(userId, { script, given, transfer: [copy.buffer] })
}
