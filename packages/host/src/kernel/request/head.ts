import { timingSafeEqual } from 'node:crypto'
import { digestOf } from '@svc/state'

/** What a front knows of a request before its body: the same for `node:http` and for a web `Request`. */
export interface Head {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  /** The address at the other end of the connection; `undefined` where the front does not know it. */
  readonly peer?: string | undefined
  /** A header by its lower-case name; several of one name are joined, as HTTP does. */
  get(name: string): string | undefined
  /** The request in its web form, for an operator's `authenticate`. */
  request(): Request
}

/** Where a request came from, where its front knows. */
export const addressOf = ({ peer }: Pick<Head, 'peer'>) => (peer === undefined ? {} : { address: peer })

/** Returns the value of the first cookie of that name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  const mark = `${name}=`
  if (header.startsWith(mark) && !header.includes(';')) return header.slice(mark.length)
  const pair = header.split(';').find((part) => part.trimStart().startsWith(mark))
  return pair?.trimStart().slice(mark.length).trimEnd()
}

/** Whether a request shows a token as Bearer; never where there is no token. */
export const hasBearerToken = (authorization: string | undefined, token: string | undefined): boolean =>
  token !== undefined && authorization !== undefined && isSame(authorization, `Bearer ${token}`)

/** Compares digests, so that neither length nor first difference shows in the time. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
const digest = (text: string) => Buffer.from(digestOf(Buffer.from(text)))
