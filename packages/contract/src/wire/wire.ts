/**
 * The wire between the document in the iframe and the page around it.
 *
 * The document posts one hello to its parent and hands over two ports with it; everything after that
 * travels on the ports. Posts of one tick travel together as one flat list, because structured clone
 * copies a flat list of texts fastest.
 */
import type { ErrorBody } from '../errors/errors.ts'
import type { ThemeStyles } from './theme.ts'

/** What the document posts to its parent, with the calls port and the page port transferred. */
export interface Hello {
  readonly svc: 'hello'
  readonly version: 1
}

/** What a document posts to its parent, and nothing else, where the frame is not that of its window: nothing of it runs. */
export interface Stray {
  readonly svc: 'stray'
}

/** What a document posts to its parent when a link in it leads to another site: the page calls `window.open_link`. */
export interface Link {
  readonly svc: 'link'
  readonly url: string
}

/** What a document posts to its parent when a key was pressed that the page asked for and no script of the app took. */
export interface Key {
  readonly svc: 'key'
  /** Its name, such as `Mod+K`. */
  readonly key: string
}

/**
 * What a document posts to its parent when it begins, with a port on which it says, when it goes, whether its address led
 * elsewhere at any time. What comes then may be no document of the app: the page asks for the entry again.
 */
export interface Place {
  readonly svc: 'place'
}

/**
 * What a document posts to its parent to offer a file to the user: the page calls `window.download`. Its client hands
 * over a port with it, on which an `Offered` comes; a link in the document has none.
 */
export interface Download {
  readonly svc: 'download'
  readonly name: string
  readonly data: Blob
}

/** Page → document, once: what came of a `Download`; no error where the page was told of it. */
export interface Offered {
  readonly name?: string
  readonly error?: ErrorBody
}

/**
 * The codes that no host sends, because the client or the page makes them itself:
 * - `timeout`: the answer did not come within the client's own wait.
 * - `bridge_reset`: the document or its channel went away while the call waited; it may have run.
 * - `not_hosted`: nobody around the document answers its hello.
 * - `host_unreachable`: the page could not reach the host; retryable.
 * - `wait_timeout`: the caller's own wait for a job is over; the job may still run.
 * - `stream_gap`: frames of a run are missing and no replay brought them; the run may still go on.
 * - `load_failed`: what is loaded when it is first needed did not come: a part of the client, or the document of a
 *   window that the page mounts; retryable.
 */
export type ClientErrorCode =
  | 'timeout'
  | 'bridge_reset'
  | 'not_hosted'
  | 'host_unreachable'
  | 'wait_timeout'
  | 'stream_gap'
  | 'load_failed'

/** The first message on the calls port: the page has taken the document in. */
export interface Welcome {
  readonly svc: 'welcome'
  /** Counts the documents of this window, from 1. */
  readonly epoch: number
}

/** Document → page: calls, four items each: id, ns, method, the arguments as JSON text. */
export type Calls = readonly (number | string)[]

/** Items of one call in a list of calls. */
export const CALL_ITEMS = 4

/** Document → page: nobody waits for this call any more. */
export interface Drop {
  readonly svc: 'drop'
  readonly id: number
}

/** Page → document: answers, two items each: id, the response envelope as JSON text. */
export type Answers = readonly (number | string)[]

/** Items of one answer in a list of answers. */
export const ANSWER_ITEMS = 2

/** Page → document: events of this window, each as JSON text. */
export interface Events {
  readonly svc: 'events'
  readonly events: readonly string[]
}

/** Page → document: the event stream lost its place; read jobs and tools again, attach runs again. */
export interface Reset {
  readonly svc: 'reset'
}

/** A text longer than this travels alone: joining large posts costs more than it saves. */
export const TOGETHER_MAX_CHARS = 16_384

/**
 * The call socket between the page and the host: the bodies of the RPC endpoint, in text frames of one WebSocket.
 * What needs a connection and a head of its own over HTTP is one line here; each body is judged as a POST is, and
 * served beside the others.
 *
 * Page → host: `<n> <window token>`, a line feed, the body. `n` counts the bodies of the socket. `<n>` alone: nobody
 * waits for body `n` any more.
 * Host → page: lines, `<n> <status> <answer>`, an answer being JSON text. Each call of a body that is taken has a line
 * of status 200, or of its own status where it is the only one; any other line answers the whole body.
 *
 * Number 0 is the event stream, which the page may read here in place of its own connection. Page → host: `0`, the
 * number of the stream, the last event id, a line feed, the query; `0` alone ends it, and another takes its place. Host →
 * page: the line `0 200 <number>`, then its bytes in binary frames, and `0 204 <number>` behind the last; any other status
 * refuses it. A line of a stream that was given up may come yet, which its number tells.
 *
 * This is the name of its subprotocol.
 */
export const CALL_SOCKET_PROTOCOL = 'svc.calls.1'

/** Before the token of a page of another site, as one more subprotocol: a browser lets no page set headers of a socket. */
export const BEARER_PROTOCOL = 'svc.bearer.'

/**
 * What a closing host says of what it has not begun: `details.by` of a refusal, and the reason with which it closes a call
 * socket, whose bodies without an answer it never took. Another host may take them at once.
 */
export const CLOSING = 'closing'

/** What the page tells the document about itself. */
export interface HostContext {
  /** The look of the page. */
  readonly theme: 'light' | 'dark'
  /** The language of the user, such as `en` or `pt-BR`. */
  readonly locale: string
  /** Whether the window has the focus. */
  readonly focused: boolean
  /** The colours, fonts and corners of the page, where it gives them to its apps. */
  readonly styles?: ThemeStyles | undefined
}

/** What the page calls in the document, on the second port. */
export interface PageCalls {
  /** The page's theme, language, focus or styles changed. */
  contextChanged(context: HostContext): void
  /** The user wants to close the window; `false` asks to keep it. The page waits a bounded time for the answer. */
  beforeClose(reason: string | null): boolean | Promise<boolean>
}

/** Page → document on the second port: a call of `PageCalls`, in the form that comlink gives to calls. */
export interface PageCall {
  readonly id: string
  readonly type: 'APPLY'
  /** The name of the call. Any other is answered too: that is the document's sign of life. */
  readonly path: readonly [name: string]
  /** Its one argument. */
  readonly argumentList: readonly [{ readonly type: 'RAW'; readonly value: unknown }]
}

/** Document → page on the second port: the answer to the call of that id, in the same form. */
export interface PageCallAnswer {
  readonly id: string
  readonly type: 'RAW'
  /** What the call returned; none where it failed, or where there is no such call. */
  readonly value: unknown
}
