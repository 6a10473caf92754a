import type { WindowClaims } from '@svc/contract'
import { type Body, readBody } from '../../kernel/body.ts'
import type { Bodies } from '../../kernel/limiter/bodies.ts'
import { readBodyApart } from '../../kernel/threads/read-apart.ts'
import type { MaybePromise } from '../../kernel/when.ts'
import type { Services } from '../services.ts'

/** Reads bodies of calls: long ones in another thread. */
export interface BodyReader {
  /**
   * Has a body served when it is read, and when those of its window that came before are served: calls take effect in
   * the order in which they came. Errors: those of `readBody`; `rate_limited` where too much of one owner waits.
   */
  read<Served>(
    claims: WindowClaims,
    bytes: Buffer,
    serve: (body: Body) => MaybePromise<Served>,
  ): MaybePromise<Served>
}

/** Opens it. */
export function openBodyReader(
  { limits, threads }: Pick<Services, 'limits' | 'threads'>,
  bodies: Pick<Bodies, 'enter'>,
): BodyReader {
  /** The last body of each window that is being read, or waits for one: settles when it is served. */
  const last = new Map<string, Promise<void>>()

  return {
    read({ wid, user_id }, bytes, serve) {
      const isLong = bytes.length > limits.BODY_APART_BYTES
      const before = last.get(wid)
      if (!before && !isLong) return serve(readBody(bytes, limits))
      return inTurn(wid, user_id, bytes, isLong, before, serve)
    },
  }

  async function inTurn<Served>(
    wid: string,
    userId: string,
    bytes: Buffer,
    isLong: boolean,
    before: Promise<void> | undefined,
    serve: (body: Body) => MaybePromise<Served>,
  ): Promise<Served> {
    const place = bodies.enter({ owner: userId, bytes: bytes.length })
    const over = Promise.withResolvers<void>()
    last.set(wid, over.promise)
    let served: MaybePromise<Served>
    try {
      const reading = isLong ? readBodyApart(threads, userId, bytes, limits) : null
      // What is wrong with it is told in its turn.
      reading?.catch(() => {})
      await before
      served = serve(reading ? await reading : readBody(bytes, limits))
    } finally {
      place.leave()
      over.resolve()
      if (last.get(wid) === over.promise) last.delete(wid)
    }
    return await served
  }
}
