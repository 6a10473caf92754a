import { type Limits, type Refusal, refuse } from '@svc/contract'
import type { Cap } from '@svc/state'
import type { Scope } from './space.ts'

const sentences = {
  STORAGE_KEYS_PER_SPACE: 'an app may keep at most %d keys in a scope',
  STORAGE_KEYS_PER_USER: 'a user may keep at most %d keys of their own over all apps',
  STORAGE_BYTES_PER_SPACE: 'an app may keep at most %d bytes of values in a scope',
  STORAGE_BYTES_PER_USER: 'a user may keep at most %d bytes of values of their own over all apps',
} as const satisfies Partial<Record<keyof Limits, string>>

/**
 * The caps of a write to a space. What users share counts for its space alone: it stays after its writer uninstalled the
 * app, and nothing that the writer can do would make that room free.
 */
export const capsOf = (
  limits: Limits,
  { scope, space, userId }: { scope: Scope; space: string; userId: string },
): Cap<'live' | 'byUser'>[] => {
  const ofSpace = { index: 'live', eq: [space] } as const
  const ofUser = { index: 'byUser', eq: [userId] } as const
  const { STORAGE_KEYS_PER_SPACE, STORAGE_BYTES_PER_SPACE, STORAGE_KEYS_PER_USER, STORAGE_BYTES_PER_USER } =
    limits
  const caps: Cap<'live' | 'byUser'>[] = [
    { ...ofSpace, name: 'STORAGE_KEYS_PER_SPACE', max: STORAGE_KEYS_PER_SPACE },
    { ...ofSpace, name: 'STORAGE_BYTES_PER_SPACE', max: STORAGE_BYTES_PER_SPACE, of: 'weight' },
  ]
  if (scope === 'shared') return caps
  return [
    ...caps,
    { ...ofUser, name: 'STORAGE_KEYS_PER_USER', max: STORAGE_KEYS_PER_USER },
    { ...ofUser, name: 'STORAGE_BYTES_PER_USER', max: STORAGE_BYTES_PER_USER, of: 'weight' },
  ]
}

/** The refusal of a value for which there is no room. */
export function noRoom(full: string, limits: Limits, key: string, roomBytes: number): Refusal {
  const limit = full as keyof typeof sentences
  const max = limits[limit]
  const sentence = sentences[limit].replace('%d', String(max))
  return refuse('quota_exceeded', `${JSON.stringify(key)} with ${roomBytes} bytes has no room: ${sentence}`, {
    limit,
    max,
    size: roomBytes,
    hint: 'Deleting keys makes room at once; values with ttl_seconds make room within a minute of their end.',
  })
}
