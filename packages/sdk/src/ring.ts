import { STREAM_BUFFER_FRAMES } from '@svc/contract/browser'

/** What a ring puts in order: numbered without holes, the last one is done. */
export interface NumberedFrame {
  readonly seq: number
  readonly done: boolean
}

/** Puts the frames of one stream in order. */
export interface Ring<Item extends NumberedFrame> {
  /** The seq that is delivered next. */
  readonly due: number
  /** The highest seq that is known of: from `due` on, something is missing. */
  readonly newest: number
  /** Says that there is a frame of this seq, wherever it is. */
  expect(seq: number): void
  /**
   * Takes a frame: delivers it with those that waited for it, keeps it until its turn, or drops one that was
   * delivered, waits already, or comes after the last. `false`: 256 wait, and this would be the 257th.
   */
  put(item: Item): boolean
}

/**
 * Makes the ring of a stream whose frames up to `afterSeq` are known. A frame goes
 * into the slot of its seq, so nothing is searched or moved. The slot of the frame that is due is free for the one a
 * whole round later, hence 256 wait in 256 slots. One still further ahead has no slot: it is dropped, and comes again
 * with the replay that the gap before it asks for.
 */
export function createRing<Item extends NumberedFrame>(
  afterSeq: number,
  deliver: (item: Item) => void,
): Ring<Item> {
  const slots = new Array<Item | undefined>(STREAM_BUFFER_FRAMES).fill(undefined)
  let due = afterSeq + 1
  let newest = afterSeq
  let waiting = 0
  let done = false

  function pass(item: Item): void {
    due += 1
    done = item.done
    deliver(item)
  }

  /** Delivers what waited for its turn. While any waits, the slot of `due` holds that frame or none. */
  function drain(): void {
    while (waiting > 0 && !done) {
      const at = due % STREAM_BUFFER_FRAMES
      const item = slots[at]
      if (!item) return
      slots[at] = undefined
      waiting -= 1
      pass(item)
    }
  }

  return {
    get due() {
      return due
    },
    get newest() {
      return newest
    },
    expect(seq) {
      newest = Math.max(newest, seq)
    },
    put(item) {
      const { seq } = item
      if (done || seq < due) return true
      if (seq > newest) newest = seq
      if (seq === due) {
        pass(item)
        if (waiting > 0) drain()
        return true
      }
      if (seq > due + STREAM_BUFFER_FRAMES) return waiting < STREAM_BUFFER_FRAMES
      const at = seq % STREAM_BUFFER_FRAMES
      if (slots[at]) return true
      slots[at] = item
      waiting += 1
      return true
    },
  }
}
