import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { type Secret, type SigningSecret, secretsOf } from './secrets.ts'

/** 128 bits in base64url. */
const MAC_CHARS = 22
const FORM = /^([\w-]{1,64})\.([\w-]{22})$/

/** Opens the tickets of a host. The first of several secrets signs, all of them verify. */
export function openEntryTickets(secret: Secret) {
  const keyOf = (one: SigningSecret) =>
    createSecretKey(createHmac('sha256', one.secret).update('svc key svc-entry').digest())
  const [first, ...others] = secretsOf(secret)
  const signing = keyOf(first)
  const known = [signing, ...others.map(keyOf)]
  const macOf = (key: KeyObject, windowUuid: string, digest: string) =>
    createHmac('sha256', key).update(`${windowUuid} ${digest}`).digest('base64url').slice(0, MAC_CHARS)
  return {
    /** The ticket of a window for the bundle of a digest, fit for a path and for a query. */
    mint: (windowUuid: string, digest: string) => `${windowUuid}.${macOf(signing, windowUuid, digest)}`,
    /** The uuid of the window that a ticket is for; `null` if it is not a ticket of ours for this bundle. */
    read(ticket: string, digest: string) {
      const [, windowUuid = '', mac = ''] = FORM.exec(ticket) ?? []
      if (windowUuid === '') return null
      const isOurs = known.some((key) =>
        timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, windowUuid, digest))),
      )
      return isOurs ? windowUuid : null
    },
  }
}

/**
 * The tickets in the URLs of entry documents: each is for one window and one bundle. A ticket has no time of its own,
 * because a browser loads the same URL again when a frame is moved or reloads itself; it ends with its window.
 */
export type EntryTickets = ReturnType<typeof openEntryTickets>
