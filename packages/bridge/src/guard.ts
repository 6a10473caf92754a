import {
  CALL_TEXT_MAX_BYTES,
  LIST_MAX_CALLS,
  NAME_MAX_CHARS,
  RUN_TEXT_MAX_BYTES,
} from '@svc/contract/browser'
import { CALL_ITEMS, TOGETHER_MAX_CHARS } from '@svc/contract/wire'

/** A call as it came through the port. */
export interface PortCall {
  /** Its number in the document, counted from 1. */
  readonly id: number
  /** The namespace of its method. */
  readonly ns: string
  /** The method within it. */
  readonly method: string
  /** JSON text, not parsed. */
  readonly args: string
}

/** What one message of an untrusted document says. */
export interface PortMessage {
  readonly calls: readonly PortCall[]
  /** Items with an id that are no call. */
  readonly refused: readonly { readonly id: number; readonly problem: string }[]
  /** The call that nobody waits for any more. */
  readonly drop: number | undefined
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= NAME_MAX_CHARS

/** Whether the text is one JSON value and nothing beside it; nothing of the value is used. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * What is wrong with a call's items, or `undefined`. A text that may share a body with other calls must be
 * JSON, so that it cannot end its own envelope and begin another; a longer one is looked at from outside only.
 */
function problemOf(ns: unknown, method: unknown, args: unknown): string | undefined {
  if (!isName(ns) || !isName(method))
    return `${isName(ns) ? 'method' : 'ns'} must be a text of 1 to ${NAME_MAX_CHARS} characters`
  if (
    typeof args !== 'string' ||
    args[0] !== '{' ||
    args.at(-1) !== '}' ||
    (args.length <= TOGETHER_MAX_CHARS && !isJson(args))
  )
    return 'args must be the JSON text of an object'
  const max = ns === 'agent' && method === 'session.run' ? RUN_TEXT_MAX_BYTES : CALL_TEXT_MAX_BYTES
  if (args.length * 3 <= max) return undefined
  const bytes = args.length > max ? args.length : new TextEncoder().encode(args).length
  return bytes > max ? `args must have at most ${max} bytes, got ${bytes}` : undefined
}

/**
 * Reads what a document posts on its calls port (`wall.iframe.guard`): a well-formed list of calls, or a drop. A bad
 * item of a list is refused alone; what has no id, and a message of any other form, is left out. Never throws.
 */
export function readMessage(data: unknown): PortMessage {
  const calls: PortCall[] = []
  const refused: { id: number; problem: string }[] = []
  let drop: number | undefined
  if (!Array.isArray(data)) {
    const said = data as { svc?: unknown; id?: unknown } | null | undefined
    if (said?.svc === 'drop' && isId(said.id)) drop = said.id
  } else if (data.length % CALL_ITEMS === 0 && data.length <= LIST_MAX_CALLS * CALL_ITEMS)
    for (let at = 0; at < data.length; at += CALL_ITEMS) {
      const [id, ns, method, args] = data.slice(at, at + CALL_ITEMS)
      if (!isId(id)) continue
      const problem = problemOf(ns, method, args)
      if (problem) refused.push({ id, problem })
      else calls.push({ id, ns, method, args })
    }
  return { calls, refused, drop }
}
