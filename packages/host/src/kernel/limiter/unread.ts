import { type Limits, refuse } from '@svc/contract'

type Caps = Pick<Limits, 'READER_BUFFER_MAX_BYTES' | 'UNREAD_BYTES_PER_USER' | 'READS_PER_USER'>

/** What a user has of it. */
interface Usage {
  bytes: number
  /** Answers that are being read from the state of the host. */
  reads: number
  /** Readers with calls that wait; each gets its turn. */
  waiting: Set<Reader> | null
}

/** What all readers share. */
interface Room {
  readonly caps: Caps
  change(user: string, bytes: number, reads: number): void
  /** Whether a call may begin at once, and before no read that waits. */
  isFree(user: string, isRead: boolean): boolean
  wait(user: string, reader: Reader): void
}

/** A class, because every body has one, and every page that is open: its methods are made once. */
export class Reader {
  readonly #room: Room
  readonly #user: string
  #bytes = 0
  #waiting: Set<() => void> | null = null
  #isOver = false

  constructor(room: Room, user: string) {
    this.#room = room
    this.#user = user
  }

  /** Whether it took enough of its answers for the next one to be made. */
  get isReady(): boolean {
    return this.#bytes <= this.#room.caps.READER_BUFFER_MAX_BYTES
  }

  /**
   * To be called before a call is carried out, and `leave` after it; `isRead` says that its answer comes from the host's
   * own state, however long it is, and soon. `null`: now. Errors: `cancelled` where its caller is gone before.
   */
  enter(isRead: boolean, gone: () => AbortSignal): Promise<void> | null {
    if (this.isReady && this.#room.isFree(this.#user, isRead)) {
      if (isRead) this.#room.change(this.#user, 0, 1)
      return null
    }
    return this.#wait(isRead, gone())
  }

  leave(isRead: boolean): void {
    if (isRead) this.#room.change(this.#user, 0, -1)
  }

  /** So many bytes wait for it from now on. */
  owe(bytes: number): void {
    if (this.#isOver) return
    this.#bytes += bytes
    this.#room.change(this.#user, bytes, 0)
  }

  /** It took so many of them. */
  took(bytes: number): void {
    if (!this.#isOver) this.owe(-bytes)
  }

  /** Nothing waits for it any more. Twice is harmless. */
  end(): void {
    this.owe(-this.#bytes)
    this.#isOver = true
  }

  /** Begins the oldest call that waits; returns whether more of them do. */
  beginNext(): boolean {
    for (const begin of this.#waiting ?? []) {
      this.#waiting?.delete(begin)
      begin()
      break
    }
    return this.#waiting !== null && this.#waiting.size > 0
  }

  async #wait(isRead: boolean, gone: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const begin = () => {
      if (isRead) this.#room.change(this.#user, 0, 1)
      resolve()
    }
    const giveUp = () => {
      if (this.#waiting?.delete(begin))
        reject(refuse('cancelled', 'the caller left before this call was carried out'))
    }
    this.#waiting ??= new Set()
    this.#waiting.add(begin)
    this.#room.wait(this.#user, this)
    gone.addEventListener('abort', giveUp, { once: true })
    if (gone.aborted) giveUp()
    await promise.finally(() => gone.removeEventListener('abort', giveUp))
  }
}

/**
 * Opens the count of answers that were made and not read: while one reader has more than `READER_BUFFER_MAX_BYTES` to
 * take, or all of a user more than `UNREAD_BYTES_PER_USER`, no further call of theirs is carried out.
 */
export function openUnread(caps: Caps) {
  const users = new Map<string, Usage>()
  /** Users of whom something ended in this turn of the event loop. */
  const due = new Set<string>()

  const usageOf = (user: string): Usage => users.get(user) ?? { bytes: 0, reads: 0, waiting: null }
  const hasRoom = ({ bytes, reads }: Usage, isRead: boolean) =>
    bytes <= caps.UNREAD_BYTES_PER_USER && !(isRead && reads >= caps.READS_PER_USER)

  const room: Room = {
    caps,
    change(user, bytes, reads) {
      const usage = usageOf(user)
      usage.bytes += bytes
      usage.reads += reads
      if (usage.waiting) plan(user)
      if (usage.bytes !== 0 || usage.reads !== 0 || usage.waiting) users.set(user, usage)
      else users.delete(user)
    },
    isFree(user, isRead) {
      const usage = usageOf(user)
      return hasRoom(usage, isRead) && !(isRead && usage.waiting)
    },
    wait(user, reader) {
      const usage = usageOf(user)
      usage.waiting ??= new Set()
      usage.waiting.add(reader)
      users.set(user, usage)
      plan(user)
    },
  }

  /** In the next turn: an answer that was just made is counted by then. */
  function plan(user: string): void {
    if (due.size === 0) setImmediate(beginDue)
    due.add(user)
  }

  function beginDue(): void {
    const all = [...due]
    due.clear()
    for (const user of all) beginWaiting(user)
  }

  function beginWaiting(user: string): void {
    const usage = usageOf(user)
    const waiting = usage.waiting ?? new Set()
    for (const reader of waiting) {
      if (!hasRoom(usage, true)) return
      if (!reader.isReady) continue
      waiting.delete(reader)
      if (reader.beginNext()) waiting.add(reader)
    }
    if (waiting.size > 0) return
    usage.waiting = null
    room.change(user, 0, 0)
  }

  return {
    /** What reads the answers to the calls of a user: a call socket, or one request. */
    of: (user: string) => new Reader(room, user),
    /** How many users have answers that wait or are made. */
    get users() {
      return users.size
    },
  }
}

/** Answers that were made and not read. */
export type Unread = ReturnType<typeof openUnread>
