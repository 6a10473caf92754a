import { type Limits, refuse } from '@svc/contract'
import type { Clock } from '@svc/node'
import type { MaybePromise } from '../when.ts'
import { type BodySlot, Slot, type SlotRoom, type Usage } from './body-slot.ts'
import { openPace } from './buckets.ts'

/** A body before a byte of it is read. */
export interface BodyHead {
  /** Whose it is, such as a user. */
  readonly owner: string
  /** What its head says that it has; `undefined` where it says nothing. */
  readonly bytes: number | undefined
  /** Has a listener called when its sender goes away, or it is read. */
  readonly onGone?: ((listener: () => void) => void) | undefined
  /** Counts up while something comes. */
  readonly came?: (() => number) | undefined
  /** Ends it where nothing came for `BODY_STALLED_MS`. */
  readonly cut?: (() => void) | undefined
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

interface WatchedBody extends BodyHead {
  since: number
  seen: number
  readonly release: () => void
}

/** If the host is full, an owner who uses less than this part of the total is still admitted. */
const FAIR_SHARES = 16
const CHECKS_PER_STALL = 4
const RETRY_MS = 1_000

/** Opens the count of bodies that are being read. */
export function openBodies(clock: Clock, limits: Caps) {
  const owners = new Map<string, Usage>()
  const watched = new Set<WatchedBody>()
  const all: Usage = { count: 0, bytes: 0 }
  const pace = openPace(
    {
      perSecond: limits.BODIES_BYTES_PER_SECOND,
      burst: limits.BODIES_BYTES_BURST,
      keysMax: limits.RATE_KEYS_MAX,
      waitMaxMs: limits.BODIES_WAIT_MAX_MS,
      waitingMax: limits.BODIES_PER_OWNER,
    },
    clock,
  )
  let isPlanned = false

  /** A body alone is always read: a larger one than its route takes is refused there. */
  function reserveBytes(own: Usage, had: number, more: number): void {
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

  function checkStalled(): void {
    isPlanned = false
    const now = clock.now()
    for (const one of watched) {
      const came = one.came?.() ?? 0
      if (came !== one.seen) {
        // The first check only notes the position; what came before counts from the start of the body.
        if (one.seen !== -1) one.since = now
        one.seen = came
      }
      if (now - one.since < limits.BODY_STALLED_MS) continue
      one.release()
      one.cut?.()
    }
    planCheck()
  }

  function planCheck(): void {
    if (isPlanned || watched.size === 0) return
    isPlanned = true
    clock.setTimer(checkStalled, Math.ceil(limits.BODY_STALLED_MS / CHECKS_PER_STALL))
  }

  const tooMany = () =>
    refuse('rate_limited', `at most ${limits.BODIES_PER_OWNER} bodies of one owner are read at once`, {
      retry_after_ms: RETRY_MS,
    })

  const room: SlotRoom = {
    reserve: reserveBytes,
    free(own, bytes) {
      own.bytes -= bytes
      all.bytes -= bytes
    },
    count(owner, came) {
      if (came > limits.BODY_SMALL_BYTES) pace.count(owner, came)
    },
    leave(owner, own) {
      all.count -= 1
      own.count -= 1
      if (own.count === 0) owners.delete(owner)
    },
  }

  function open(body: BodyHead, announced: number): Slot {
    const own = owners.get(body.owner) ?? { count: 0, bytes: 0 }
    if (own.count >= limits.BODIES_PER_OWNER) throw tooMany()
    const slot = new Slot(room, body.owner, own)
    slot.reserve(announced)
    own.count += 1
    all.count += 1
    owners.set(body.owner, own)
    if (body.cut) watch(body, slot)
    planCheck()
    return slot
  }

  function watch(body: BodyHead, slot: Slot): void {
    const one: WatchedBody = { ...body, since: clock.now(), seen: -1, release: slot.release }
    watched.add(one)
    slot.onRelease = () => watched.delete(one)
  }

  async function openInTurn(body: BodyHead, turn: Promise<boolean>): Promise<BodySlot> {
    const slot = open(body, 0)
    body.onGone?.(slot.release)
    try {
      if (!(await turn)) throw tooMany()
      if (slot.isOver) throw refuse('cancelled', 'the client disconnected while this body was waiting')
      slot.reserve(body.bytes ?? 0)
      return slot
    } catch (error) {
      slot.release()
      throw error
    }
  }

  return {
    /** Takes a slot. Errors: `rate_limited`. */
    enter: (body: BodyHead) => open(body, body.bytes ?? 0),
    /**
     * Takes a slot when it is the body's turn, and waits without the bytes of it. Errors: `rate_limited`; `cancelled` where
     * its sender goes away meanwhile.
     */
    admit(body: BodyHead): MaybePromise<BodySlot> {
      const isSmall = (body.bytes ?? Number.POSITIVE_INFINITY) <= limits.BODY_SMALL_BYTES
      const turn = isSmall ? null : pace.turn(body.owner, 0, body.onGone)
      return turn ? openInTurn(body, turn) : open(body, body.bytes ?? 0)
    },
    /**
     * Resolves when an owner may send another larger body: who sent more than `BODIES_BYTES_BURST` waits until that is made
     * good. `null`: now; `false`: too many of his wait already.
     */
    turn: (owner: string) => pace.turn(owner, 0),
    /** Counts what came of a larger body. */
    count: (owner: string, bytes: number) => pace.count(owner, bytes),
    /** Bodies that are being read, the bytes that they were given room for, and how many owners they have. */
    get held() {
      return { ...all, owners: owners.size }
    },
    /** Ends all waits for a turn. */
    close: () => pace.close(),
  }
}

/** The bodies that a host is reading: so many, and so many bytes, of one owner and of all. */
export type Bodies = ReturnType<typeof openBodies>

const tooMuch = (whose: string, max: number) =>
  refuse('rate_limited', `the bodies ${whose} that are being read may have at most ${max} bytes together`, {
    max,
    retry_after_ms: RETRY_MS,
    hint: 'Wait until another body has been read.',
  })
