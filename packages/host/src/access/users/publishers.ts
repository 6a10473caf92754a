import { type Publisher, refuse } from '@svc/contract'
import type { Copies } from '../../catalog/copies.ts'
import { publishers, users } from '../../catalog/records.ts'
import type { AccessServices } from '../services.ts'
import { publisherSkeleton, readPublisherName } from './publisher-name.ts'

type PublisherParts = Pick<AccessServices, 'clock' | 'copies' | 'store'>

/** Who a user is to others: the name that the operator verified, or the id. */
export async function publisherOf(
  { publishers: copy }: Pick<Copies, 'publishers'>,
  userId: string,
): Promise<Publisher> {
  const record = await copy.get(userId)
  return { name: record?.row.name ?? userId, verified: record !== null }
}

/**
 * Verifies a name of a user, in place of the one before. The insert under the skeleton of the name decides who has it.
 * Errors: `invalid_arg`, `not_found`, `conflict`.
 */
export async function verifyPublisher(
  { clock, copies, store }: PublisherParts,
  userId: string,
  text: string,
): Promise<Publisher> {
  const name = readPublisherName(text)
  if (!(await store.get(users, userId))) throw refuse('not_found', 'there is no such user on this host')
  const id = publisherSkeleton(name)
  const [latest] = (await namesOf(store, userId)).rows
  const verified_at = Math.max(clock.now(), (latest?.row.verified_at ?? 0) + 1)
  const row = { user_id: userId, name, verified_at }
  for (let isWritten = false; !isWritten; ) {
    const inserted = await store.insert(publishers, id, row)
    if (inserted.ok) break
    if (!('exists' in inserted)) throw new Error('a publisher was refused without a cap')
    const { exists } = inserted
    if (exists.row.user_id !== userId)
      throw refuse(
        'conflict',
        `the publisher ${JSON.stringify(exists.row.name)} has this name, or one like it`,
      )
    isWritten = (await store.swap(publishers, id, exists.revision, row)).ok
  }
  // Of two that come at once the later one stays, in the order in which the name is read.
  const { rows } = await namesOf(store, userId)
  for (const before of rows.slice(1)) await store.remove(publishers, before.id, before.revision)
  copies.publishers.drop(userId)
  return { name, verified: true }
}

/** More than one name is there only between two writes. */
const NAMES_MAX = 10
const namesOf = (store: PublisherParts['store'], userId: string) =>
  store.scan(publishers, 'byUser', { eq: [userId], order: 'desc', limit: NAMES_MAX })

/** Takes the verified name of a user back; says whether there was one. */
export async function withdrawPublisher(
  { copies, store }: Pick<PublisherParts, 'copies' | 'store'>,
  userId: string,
): Promise<boolean> {
  const { rows } = await namesOf(store, userId)
  for (const { id, revision } of rows) await store.remove(publishers, id, revision)
  copies.publishers.drop(userId)
  return rows.length > 0
}
