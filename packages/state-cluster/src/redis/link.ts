import type { Clock } from '@svc/node'
import { BusError } from '@svc/state/driver'
import { Redis } from 'ioredis'
import { errorOfConnection, errorOfReply, isElsewhere, isReply } from './failure.ts'

/** What a connection is made of. */
export interface LinkOptions {
  readonly url: string
  /** The clock of its bounds. */
  readonly clock: Clock
  /** How long a call waits for its answer, over all connections, in ms. */
  readonly waitMs: number
  /** Says what must be said on each new connection before anything else. Where it throws, there is another attempt. */
  readonly greet: (redis: Redis) => Promise<void>
  /** Called when the connection is lost. */
  readonly onDown?: () => void
  /** Hears why Redis cannot be used, a sentence without its place; null: it can. */
  readonly onTrouble?: (sentence: string | null) => void
}

/** One connection to Redis, which is made anew whenever it is lost. */
export type Link = ReturnType<typeof openLink>

const FIRST_PAUSE_MS = 20
const PAUSE_MAX_MS = 1000
/** Looks at the connection so often in the time that a call may wait. */
const LOOKS = 5

/** Connects, and connects again until it is closed. */
export function openLink({ url, clock, waitMs, greet, onDown, onTrouble }: LinkOptions) {
  const place = placeOf(url)
  const closing = new AbortController()
  const waiting = new Set<() => void>()
  let current: Redis | null = null
  let attempt: Redis | null = null
  let trouble: unknown = new BusError('unavailable', `Redis at ${place} does not answer`)
  let pending = 0
  let progressAt = 0
  let stopTimer = () => {}

  const failure = () =>
    closing.signal.aborted ? new BusError('closed', 'the bus is closed') : errorOfConnection(place, trouble)

  /** Tells how a call, or the connection, went. */
  const tell = (error: Error | null) => {
    if (!closing.signal.aborted) onTrouble?.(error?.message.replace(` at ${place}`, '') ?? null)
  }

  const wakeAll = () => {
    for (const wake of waiting) wake()
  }

  async function connect(pauseMs: number) {
    const redis = makeClient(url, waitMs)
    attempt = redis
    const stopWaiting = clock.setTimer(() => {
      trouble = new BusError('unavailable', `Redis at ${place} does not answer`)
      end(redis)
    }, waitMs)
    try {
      redis.on('error', (error) => {
        trouble = error
      })
      await redis.connect()
      await greet(redis)
      if (closing.signal.aborted || redis.status !== 'ready') throw new Error('the connection was lost')
      redis.once('close', () => lose(redis))
      current = redis
      tell(null)
      wakeAll()
    } catch (error) {
      if (isReply(error) || error instanceof BusError) trouble = error
      end(redis)
      tell(failure())
      again(pauseMs)
    } finally {
      stopWaiting()
      attempt = null
    }
  }

  function again(pauseMs: number) {
    if (closing.signal.aborted) return
    stopTimer = clock.setTimer(() => void connect(Math.min(pauseMs * 2, PAUSE_MAX_MS)), pauseMs)
  }

  /** Whatever waits for an answer of this connection fails now. */
  function lose(redis: Redis, why?: BusError) {
    if (current !== redis) return
    current = null
    trouble = why ?? new BusError('unavailable', `Redis at ${place} has closed the connection`)
    end(redis)
    onDown?.()
    again(FIRST_PAUSE_MS)
  }

  /** A server that answers nothing is left; where nobody asks, it is asked whether it is there. */
  function look() {
    stopLooking = clock.setTimer(look, waitMs / LOOKS)
    if (!current) return
    if (pending === 0) return void count(current.ping()).catch(() => {})
    if (clock.now() - progressAt < waitMs - waitMs / LOOKS) return
    lose(current, new BusError('unavailable', `Redis at ${place} does not answer`))
  }

  async function count<T>(answer: Promise<T>): Promise<T> {
    if (pending === 0) progressAt = clock.now()
    pending += 1
    try {
      return await answer
    } finally {
      pending -= 1
      progressAt = clock.now()
    }
  }

  function up(until: number): Promise<Redis> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        waiting.delete(settle)
        stop()
        if (current) resolve(current)
        else reject(failure())
      }
      const stop = clock.setTimer(settle, Math.max(0, until - clock.now()))
      waiting.add(settle)
      if (closing.signal.aborted) settle()
    })
  }

  let stopLooking = clock.setTimer(look, waitMs / LOOKS)
  void connect(FIRST_PAUSE_MS)

  return {
    place,
    /** The connection of now, if there is one. */
    get redis(): Redis | null {
      return current
    },
    /**
     * Asks Redis, on another connection again where one is lost before the answer. Throws `BusError` `unavailable` after
     * `waitMs`, or at once where Redis refuses, and `closed`.
     */
    async call<T>(ask: (redis: Redis) => Promise<T>): Promise<T> {
      const until = clock.now() + waitMs
      for (;;) {
        const redis = current ?? (await up(until))
        try {
          const answer = await count(ask(redis))
          tell(null)
          return answer
        } catch (error) {
          if (closing.signal.aborted) throw failure()
          if (isReply(error)) {
            const refusal = errorOfReply(place, error)
            if (refusal instanceof BusError && refusal.code === 'unavailable') tell(refusal)
            if (isElsewhere(error)) lose(redis, refusal as BusError)
            throw refusal
          }
          if (error instanceof TypeError) throw error
          lose(redis)
          if (clock.now() >= until) throw failure()
        }
      }
    },
    /** Leaves a connection; there will be another. */
    drop: (redis: Redis) => lose(redis),
    close() {
      if (closing.signal.aborted) return
      closing.abort()
      stopTimer()
      stopLooking()
      if (attempt) end(attempt)
      const redis = current
      current = null
      if (redis) end(redis)
      wakeAll()
    },
  }
}

/** One connection that is made once and not again. */
export function makeClient(url: string, connectTimeout: number): Redis {
  return new Redis(url, {
    connectTimeout,
    lazyConnect: true,
    retryStrategy: null,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: null,
    disableClientInfo: true,
    protocol: 2,
  })
}

/** Ends a connection at once, with all that waits for its answers. */
export function end(redis: Redis): void {
  redis.disconnect()
  redis.stream?.destroy()
}

/** Host and port, without the password. Throws `TypeError`: that of `URL` would show the password. */
export function placeOf(url: string): string {
  if (!URL.canParse(url))
    throw new TypeError(
      'the URL of Redis cannot be read; characters such as / # ? in its password are encoded',
    )
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}
