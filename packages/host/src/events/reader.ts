import type { Limits } from '@svc/contract'
import type { Logger } from 'pino'
import type { Entry, Journals } from '../bus/port.ts'
import type { Clock } from '../clock.ts'
import type { Channel, Member } from './channel.ts'
import type { Filter } from './filter.ts'
import { textOf } from './portion.ts'
import type { Sink } from './sink.ts'
import { COMMENT, moved } from './sse.ts'

/** What a reader is made of. */
export interface ReaderOptions {
  readonly journals: Journals
  readonly clock: Clock
  readonly limits: Limits
  readonly log: Logger
  readonly channel: Channel
  readonly filter: Filter
  readonly sink: Sink
  /** The seq that its page has seen. */
  readonly after: number
  /** The first text that it gets. */
  readonly opening: string
  /** Called once when it is over. */
  readonly onOver: () => void
}

/** One page that reads: a member of its user's channel that can fall behind and catch up by itself. */
export interface Reader extends Member {
  drained(): void
  gone(): void
}

/** Opens a reader. What waits for it stays within `READER_BUFFER_MAX_BYTES`, or a single event above it. */
export function openReader(options: ReaderOptions): Reader {
  const { journals, clock, limits, log, channel, filter, sink, opening, onOver } = options
  let position = options.after
  let told = position
  let written = 0
  let full = false
  let reading = false
  let over = false
  let stopStall: (() => void) | null = null
  let stopComment: () => void

  const reader: Reader = {
    offer(portion) {
      if (reading || portion.until <= position) return
      const bytes = portion.after === position ? portion.bytesFor(filter) : null
      if (bytes && sink.waiting + bytes.length <= limits.READER_BUFFER_MAX_BYTES) {
        position = portion.until
        if (bytes.length > 0) write(bytes)
      } else if (!full) void catchUp()
    },
    drained() {
      full = false
      stopStall?.()
      stopStall = null
      if (!reading) void catchUp()
    },
    // Behind a sink that is full an end would wait for a page that may never read.
    end: () => finish(() => (full ? sink.destroy() : sink.end())),
    gone: () => finish(() => {}),
  }

  function write(bytes: Uint8Array) {
    written += bytes.length
    full = !sink.write(bytes)
    if (full && !stopStall) watch()
  }

  /** Cuts a page that took nothing for a while; its cursor lets it go on without loss. */
  function watch() {
    const taken = written - sink.waiting
    stopStall = clock.setTimer(() => {
      if (written - sink.waiting > taken) watch()
      else finish(() => sink.destroy())
    }, limits.READER_STALLED_MS)
  }

  /** Reads from the journal what the channel offered before this reader came, or while its sink was full. */
  async function catchUp() {
    reading = true
    try {
      while (!over && !full && position < channel.position) {
        const batch = await journals.read(channel.journal, position, { limit: limits.EVENT_READ_MAX })
        if (batch.reset || batch.items.length === 0) return reader.end()
        if (!over) take(batch.items)
      }
    } catch (err) {
      log.warn({ err, journal: channel.journal }, 'a journal could not be read')
      reader.end()
    } finally {
      reading = false
    }
  }

  /** Writes as many entries as there is room for, and at least one. */
  function take(entries: readonly Entry[]) {
    const room = limits.READER_BUFFER_MAX_BYTES - sink.waiting
    let text = ''
    let size = 0
    for (const entry of entries) {
      const next = textOf(entry, filter, channel.cursors) ?? ''
      size += Buffer.byteLength(next)
      if (text !== '' && size > room) break
      text += next
      position = entry.seq
    }
    if (text !== '') write(Buffer.from(text))
  }

  function comment() {
    stopComment = clock.setTimer(() => {
      if (!full) {
        write(Buffer.from(position === told ? COMMENT : COMMENT + moved(channel.cursors.write(position))))
        told = position
      }
      comment()
    }, limits.EVENT_COMMENT_MS)
  }

  function finish(close: () => void) {
    if (over) return
    over = true
    stopStall?.()
    stopComment()
    channel.leave(reader)
    close()
    onOver()
  }

  channel.join(reader)
  comment()
  write(Buffer.from(opening))
  void catchUp()
  return reader
}
