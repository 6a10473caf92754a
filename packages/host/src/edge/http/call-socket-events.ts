import { Refusal } from '@svc/contract'
import type { ConnectionEvents } from '../../events/stream-writer.ts'
import type { Head } from '../../kernel/request/head.ts'
import { paths } from '../../kernel/request/paths.ts'
import { refusal } from '../rpc/reply.ts'
import type { EventRoute } from './fronts.ts'
import type { SocketWriter } from './socket-writer.ts'

/** The number of the event stream of a socket; bodies count from 1. */
export const EVENTS = '0'

/** What may wait for the reader before an event stream is held back. */
const HIGH_WATER_BYTES = 65_536

/** What the event streams of call sockets need. */
export interface SocketEventsParts {
  readonly events: Pick<EventRoute, 'socket'>
}

/**
 * The event stream of a call socket, where its page reads it there: one at a time. A class, because a host has one for
 * each page that is open: its methods are made once.
 */
export class SocketEvents {
  readonly #route: SocketEventsParts['events']
  readonly #writer: SocketWriter
  readonly #head: Head
  #events: ConnectionEvents | null = null
  /** Which stream is the newest. */
  #count = 0

  /** `head` is that of the request that opened the socket. */
  constructor({ events }: SocketEventsParts, writer: SocketWriter, head: Head) {
    this.#route = events
    this.#writer = writer
    this.#head = head
  }

  /**
   * Opens the stream of this query in place of the one before; the page is told by a line that it begins, or why not.
   * `said` is the number of the stream and the last event id.
   */
  async open(said: string, query: string): Promise<void> {
    const [number = '', lastEventId = ''] = said.split(' ', 2)
    this.stop()
    const count = this.#count
    const isOver = () => count !== this.#count
    const say = (status: number, text: string) => {
      if (isOver()) return
      this.#writer.add(`${EVENTS} ${status} ${text}\n`, 0)
      this.#writer.flush()
    }
    const writer = this.#writer
    const opened = await this.#route.socket(new EventsHead(this.#head, lastEventId, query), () => {
      if (isOver()) return null
      say(200, number)
      return {
        write: (bytes) => {
          if (isOver()) return true
          writer.sendBytes(bytes, () => {
            if (!isOver() && writer.waiting <= HIGH_WATER_BYTES) this.#events?.onDrain()
          })
          return writer.waiting <= HIGH_WATER_BYTES
        },
        get waiting() {
          return writer.waiting
        },
        end: () => say(204, number),
        destroy: () => writer.cut(),
      }
    })
    if (opened instanceof Refusal) {
      const { status, text } = refusal(opened)
      say(status, text)
    } else if (isOver()) opened?.onClose()
    else this.#events = opened
  }

  /** Its page waits for it no more, or is gone. */
  stop(): void {
    this.#count += 1
    this.#events?.onClose()
    this.#events = null
  }
}

/** The head that a request for this event stream would have had. */
class EventsHead implements Head {
  readonly method = 'GET'
  readonly url: string
  readonly #head: Head
  readonly #lastEventId: string

  constructor(head: Head, lastEventId: string, query: string) {
    this.#head = head
    this.#lastEventId = lastEventId
    this.url = `${paths.events}?${query}`
  }

  get peer(): string | undefined {
    return this.#head.peer
  }

  get(name: string): string | undefined {
    return name === 'last-event-id' ? this.#lastEventId : this.#head.get(name)
  }

  request(): Request {
    return this.#head.request()
  }
}
