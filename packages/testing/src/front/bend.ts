import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'

/** An answer that is given in place of the host's. */
export interface FrontAnswer {
  /** The HTTP status. */
  readonly status: number
  /** Its headers. Default: none. */
  readonly headers?: OutgoingHttpHeaders
  /** Its body, a text. Default: empty. */
  readonly body?: string
}

/** One thing that a front does to what passes through it; what it leaves out stays as it is. */
export interface Bend {
  /** What plays this in real life, in words. */
  readonly does: string
  /** The paths that it does it to, with their query. Default: all. */
  readonly on?: RegExp
  /** The methods that it does it to, such as `/POST/`. Default: all. */
  readonly methods?: RegExp
  /** Changes the headers of a request; `host` is the host and port of the target. */
  readonly request?: (headers: IncomingHttpHeaders, host: string) => void
  /** Answers in place of the host; `never` and `reset` are no answers. */
  readonly answer?: FrontAnswer | 'never' | 'reset'
  /** How many requests it answers before it passes on the others. Default: all. */
  readonly times?: number
  /** The largest body that is passed on, in bytes; beyond it is `413`. */
  readonly maxBytes?: number
  /** How much later a request is passed on, in ms. */
  readonly delayMs?: number
  /** Changes the headers of an answer. */
  readonly response?: (headers: OutgoingHttpHeaders) => void
  /** What the body of an answer goes through; `null`: it stays as it is. */
  readonly body?: (headers: OutgoingHttpHeaders) => Transform | null
  /** What becomes of a request for a WebSocket: `pass`, refused with a status, `never` answered, `deaf` soon after it opened, or `cut` then. */
  readonly upgrade?: number | 'never' | 'deaf' | 'cut'
}

/** A bend of the table, and what a page with a window sees of it; both are proven for each row in a browser. */
export interface BendRow extends Bend {
  /**
   * What becomes of a window that is opened behind it, and of the first call and events of its app: `works`, or the code of an
   * error, `no event`, `no answer yet`, and what the bridge tells besides.
   */
  readonly opens: string
  /** The same for a window that was open before. Default: not tried, what is open has passed it. */
  readonly runs?: string
}

/** Named bends with what is seen behind them. */
export type BendTable = Readonly<Record<string, BendRow>>
