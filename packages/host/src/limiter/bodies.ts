import { type Limits, refuse } from '@svc/contract'
import type { Clock } from '../clock.ts'
import { openPace } from './pace.ts'

/** A body that is being read, or what came of a frame. */
export interface BodyPlace {
  /** Counts bytes that nobody announced. Errors: `rate_limited`, where the owner or the host holds too many. */
  grow(bytes: number): void
  /** What came is read and gone; more may come. */
  clear(): void
  /** The body is read, or will not be. Twice is harmless. */
  leave(): void
}

/** A body before a byte of it is read. */
export interface Announced {
  /** Whose it is, such as a user. */
  readonly owner: string
  /** What its head says that it has; 0 where it says nothing. */
  readonly bytes: number
  /** Counts up while something comes. */
  readonly came?: (() => number) | undefined
  /** Ends it where nothing came for `BODY_STALLED_MS`. */
  readonly cut?: (() => void) | undefined
}

/** The bodies that a host is reading: so many, and so many bytes, of one owner and of all. */
export interface Bodies {
  /** Takes a place. Errors: `rate_limited`. */
  enter(body: Announced): BodyPlace
  /**
   * Counts bytes that an owner is about to send. Resolves when he may: who sent more than `BODIES_BYTES_BURST` waits until
   * that is made good. `null`: now, and always for a small body that was announced.
   */
  turn(owner: string, bytes: number, isAnnounced?: boolean): Promise<void> | null
  /** Bodies that are being read, the bytes that they were given room for, and how many owners they have. */
  readonly held: { readonly count: number; readonly bytes: number; readonly owners: number }
  /** Lets all go on who wait for their turn. */
  close(): void
}

type Caps = Pick<
  Limits,
  | 'BODIES_PER_OWNER'
  | 'BODIES_BYTES_PER_OWNER'
  | 'BODIES_BYTES_MAX'
  | 'BODIES_BYTES_PER_SECOND'
  | 'BODIES_BYTES_BURST'
  | 'BODIES_WAIT_MAX_MS'
  | 'BODY_SMALL_BYTES'
  | 'BODY_STALLED_MS'
  | 'RATE_KEYS_MAX'
>

interface Held {
  count: number
  bytes: number
}

interface Watched extends Announced {
  since: number
  seen: number
}

/** Where the host is full, who holds less than this part of all it may is still let in. */
const FAIR_SHARES = 16
const LOOKS_A_STALL = 4
const RETRY_MS = 1_000

/** Opens the count of bodies that are being read. */
export function openBodies(clock: Clock, limits: Caps): Bodies {
  const owners = new Map<string, Held>()
  const watched = new Set<Watched>()
  const all: Held = { count: 0, bytes: 0 }
  const pace = openPace(
    {
      perSecond: limits.BODIES_BYTES_PER_SECOND,
      burst: limits.BODIES_BYTES_BURST,
      keysMax: limits.RATE_KEYS_MAX,
      waitMaxMs: limits.BODIES_WAIT_MAX_MS,
    },
    clock,
  )
  let isLooking = false

  /** A body alone is always read: a larger one than its route takes is refused there. */
  function hold(own: Held, had: number, more: number): void {
    if (had + more > limits.BODY_SMALL_BYTES) {
      const others = own.bytes - had
      if (others > 0 && own.bytes + more > limits.BODIES_BYTES_PER_OWNER)
        throw tooMuch('of one owner', limits.BODIES_BYTES_PER_OWNER)
      if (
        all.bytes + more > limits.BODIES_BYTES_MAX &&
        own.bytes + more > limits.BODIES_BYTES_MAX / FAIR_SHARES
      )
        throw tooMuch('at once', limits.BODIES_BYTES_MAX)
    }
    own.bytes += more
    all.bytes += more
  }

  function look(): void {
    isLooking = false
    const now = clock.now()
    for (const one of watched) {
      const came = one.came?.() ?? 0
      if (came !== one.seen) {
        // The first look learns where it is; what came before is as old as the body.
        if (one.seen !== -1) one.since = now
        one.seen = came
      }
      if (now - one.since < limits.BODY_STALLED_MS) continue
      watched.delete(one)
      one.cut?.()
    }
    lookLater()
  }

  function lookLater(): void {
    if (isLooking || watched.size === 0) return
    isLooking = true
    clock.setTimer(look, Math.ceil(limits.BODY_STALLED_MS / LOOKS_A_STALL))
  }

  return {
    enter(body) {
      const own = owners.get(body.owner) ?? { count: 0, bytes: 0 }
      if (own.count >= limits.BODIES_PER_OWNER)
        throw refuse(
          'rate_limited',
          `at most ${limits.BODIES_PER_OWNER} bodies of one owner are read at once`,
          {
            retry_after_ms: RETRY_MS,
          },
        )
      hold(own, 0, body.bytes)
      own.count += 1
      all.count += 1
      owners.set(body.owner, own)
      let bytes = body.bytes
      let isOver = false
      const one: Watched | null = body.cut ? { ...body, since: clock.now(), seen: -1 } : null
      if (one) watched.add(one)
      lookLater()
      const clear = () => {
        own.bytes -= bytes
        all.bytes -= bytes
        bytes = 0
      }
      return {
        grow(more) {
          hold(own, bytes, more)
          bytes += more
          // What nobody announced makes the next one wait.
          pace.count(body.owner, more)
        },
        clear,
        leave() {
          if (isOver) return
          isOver = true
          clear()
          all.count -= 1
          own.count -= 1
          if (own.count === 0) owners.delete(body.owner)
          if (one) watched.delete(one)
        },
      }
    },
    turn: (owner, bytes, isAnnounced = true) =>
      bytes > limits.BODY_SMALL_BYTES || !isAnnounced ? pace.turn(owner, bytes) : null,
    get held() {
      return { ...all, owners: owners.size }
    },
    close: () => pace.close(),
  }
}

const tooMuch = (whose: string, max: number) =>
  refuse('rate_limited', `the bodies ${whose} that are being read may have at most ${max} bytes together`, {
    max,
    retry_after_ms: RETRY_MS,
    hint: 'Wait until another body has been read.',
  })
