import {
  ERROR_MESSAGE_MAX_CHARS,
  ERROR_REPORTS_MAX,
  ERROR_REPORTS_WINDOW_MS,
  ERROR_STACK_MAX_CHARS,
} from '@svc/contract/browser'

/** The arguments of `window.report_error`. */
export interface ErrorReport {
  readonly message: string
  readonly stack?: string
  readonly context: { readonly source: 'error' | 'unhandledrejection' }
}

/**
 * Decides which uncaught errors are reported: at most 10 a minute, and within it each error once (same
 * message, same stack). Sending cannot loop: a report that fails is dropped.
 */
export function createReporter(
  send: (report: ErrorReport) => Promise<unknown>,
  now: () => number,
): (source: ErrorReport['context']['source'], error: unknown) => void {
  let seen = new Set<string>()
  let since = now()

  return (source, error) => {
    if (now() - since >= ERROR_REPORTS_WINDOW_MS) {
      seen = new Set()
      since = now()
    }
    const message = (textOf(error) || 'an error without a message').slice(0, ERROR_MESSAGE_MAX_CHARS)
    const stack = error instanceof Error ? error.stack?.slice(0, ERROR_STACK_MAX_CHARS) : undefined
    const key = `${message}\n${stack}`
    if (seen.has(key) || seen.size >= ERROR_REPORTS_MAX) return
    seen.add(key)
    send({ message, ...(stack && { stack }), context: { source } }).catch(() => undefined)
  }
}

/** What an uncaught value says: anything can be thrown, and its own conversion can throw too. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  } catch {
    return ''
  }
}
