/** The headers of a question and its answer; the body of both is the text itself. */
export const header = {
  host: 'svc-host',
  life: 'svc-life',
  kind: 'svc-kind',
  wait: 'svc-wait',
  at: 'svc-at',
  nonce: 'svc-nonce',
  digest: 'svc-digest',
  signature: 'svc-signature',
} as const

/** What the status of an answer means. */
export const status = {
  answered: 200,
  refused: 403,
  noHost: 404,
  tooLarge: 413,
  failed: 500,
  late: 504,
} as const

/** Bytes of a question or an answer: above what a link carries in one message. */
export const BODY_MAX_BYTES = 67_108_864
/** How long hosts wait for a sign of each other, ms. */
export interface Signs {
  /** While a host thinks about an answer, it says that it is there as often. */
  readonly aliveMs: number
  /** A host that is silent for so long while it should answer is gone. */
  readonly silentMs: number
  /** A connection that is not there after so long is to a host that is gone. */
  readonly connectMs: number
  /** Who connects and has not sent all headers after so long is disconnected. */
  readonly headersMs: number
}
export const SIGNS: Signs = { aliveMs: 1_000, silentMs: 4_000, connectMs: 1_000, headersMs: 5_000 }
/** A question whose time differs by more is refused. */
export const SKEW_MS = 60_000
/** What anybody who reaches the port gets: connections at once, and bytes of headers. */
export const STRANGER = { connections: 4_096, headerBytes: 4_096 } as const
