/** A body that is being read, or what came of a frame. */
export interface BodySlot {
  /** Counts what came. Errors: `rate_limited`, where it is more than was announced and the owner or the host holds too much. */
  take(bytes: number): void
  /** What came is read and gone; more may come. */
  clear(): void
  /** The body is read, or will not be. Twice is harmless. */
  release(): void
}

/** What an owner, or all of them, have of bodies that are being read. */
export interface Usage {
  count: number
  bytes: number
}

/** What all slots share. */
export interface SlotRoom {
  /** Errors: `rate_limited`. */
  reserve(own: Usage, had: number, more: number): void
  free(own: Usage, bytes: number): void
  /** Counts what came of a body. */
  count(owner: string, bytes: number): void
  leave(owner: string, own: Usage): void
}

/** A class, because every body has one, and every page that is open: its methods are made once. */
export class Slot implements BodySlot {
  readonly #room: SlotRoom
  readonly #owner: string
  readonly #own: Usage
  #bytes = 0
  #came = 0
  isOver = false
  onRelease: (() => void) | null = null

  constructor(room: SlotRoom, owner: string, own: Usage) {
    this.#room = room
    this.#owner = owner
    this.#own = own
  }

  /** Makes room for bytes. Errors: `rate_limited`. */
  reserve(more: number): void {
    this.#room.reserve(this.#own, this.#bytes, more)
    this.#bytes += more
  }

  take(more: number): void {
    if (this.isOver) return
    this.#came += more
    if (this.#came > this.#bytes) this.reserve(this.#came - this.#bytes)
  }

  clear(): void {
    this.#room.free(this.#own, this.#bytes)
    this.#room.count(this.#owner, this.#came)
    this.#bytes = 0
    this.#came = 0
  }

  readonly release = (): void => {
    if (this.isOver) return
    this.isOver = true
    this.clear()
    this.#room.leave(this.#owner, this.#own)
    this.onRelease?.()
  }
}
