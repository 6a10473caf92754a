import { timingSafeEqual } from 'node:crypto'
import { digestOf } from '@svc/state'

/** Whether a request shows a token as Bearer; never where there is no token. */
export const showsToken = (authorization: string | undefined, token: string | undefined): boolean =>
  token !== undefined && authorization !== undefined && isSame(authorization, `Bearer ${token}`)

/** Compares digests, so that neither length nor first difference shows in the time. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
const digest = (text: string) => Buffer.from(digestOf(Buffer.from(text)))
