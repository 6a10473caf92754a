import type { Redis } from 'ioredis'
import { errorOfReply, isReply } from './failure.ts'
import type { Link } from './link.ts'
import { runScript } from './scripts.ts'

/** One append as the script takes it. */
export interface Append {
  readonly keys: readonly [head: string, list: string]
  /** Sequence number, token, channel, message, and items behind their prefixes. */
  readonly args: readonly (string | number)[]
}

/** `first life`, or the tail where it was refused. */
export type Appended = string | number

interface Waiting extends Append {
  resolve(answer: Appended): void
  reject(error: unknown): void
}

/** Appends of one call to Redis: others have their turn after it. */
const APPENDS_MAX = 32
/** Characters after which a call is full. */
const CHARS_MAX = 256 * 1024

/**
 * Gathers the appends of one turn of the event loop in a few calls to Redis, in their order. Each is judged by itself;
 * a call whose answer is lost is made again whole, as the token of each tells what is there.
 */
export function gatherAppends(link: Link) {
  let waiting: Waiting[] = []
  let chars = 0

  function flush() {
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    chars = 0
    const keys = [0, 1].flatMap((nth) => batch.map((each) => each.keys[nth] as string))
    const args = batch.flatMap((each) => [each.args.length, ...each.args])
    const ask = (redis: Redis) => runScript(redis, 'append', keys.length, [...keys, ...args])
    link.call(ask).then(
      (answers) => {
        for (const [at, { resolve, reject }] of batch.entries()) {
          const answer = (answers as (Appended | Error)[])[at] as Appended | Error
          if (isReply(answer)) reject(errorOfReply(link.place, answer))
          else resolve(answer as Appended)
        }
      },
      (error: unknown) => {
        for (const { reject } of batch) reject(error)
      },
    )
  }

  return ({ keys, args }: Append): Promise<Appended> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(flush)
      waiting.push({ keys, args, resolve, reject })
      for (const arg of args) chars += typeof arg === 'string' ? arg.length : 1
      if (waiting.length >= APPENDS_MAX || chars >= CHARS_MAX) flush()
    })
}
