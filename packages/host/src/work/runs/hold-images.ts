import { type Limits, refuse } from '@svc/contract'
import type { Order } from './order.ts'
import type { RunParts } from './parts.ts'

/**
 * Holds the images of a run to what those of its user may take of this host's memory: each stays there until its run has
 * ended. A run that is the only one with images always passes. Errors: `APP_QUOTA_EXCEEDED`.
 */
export function holdImages(
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
