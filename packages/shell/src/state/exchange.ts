import { BridgeError } from '@svc/bridge'

/** What a route answered, and the host's date in Unix ms. */
export interface Answer {
  readonly value: unknown
  readonly date: number | null
}

/**
 * Asks a route of the page's own origin. `answerMs`: after so long without an answer the host is given up.
 * @throws BridgeError
 */
export type Exchange = (method: string, path: string, body?: unknown, answerMs?: number) => Promise<Answer>

/** A host that accepts a request and does not answer it is given up after this. */
const ANSWER_MS = 10_000

/** Speaks the host's routes on the page's own origin. `deadline` makes the signal that gives a request up. */
export function createExchange(
  fetch: typeof globalThis.fetch,
  deadline: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): Exchange {
  async function ask(method: string, path: string, body: unknown, answerMs: number) {
    const signal = deadline(answerMs)
    try {
      const response = await fetch(path, {
        method,
        signal,
        credentials: 'same-origin',
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      return { response, text: await response.text() }
    } catch (error) {
      if (signal.aborted) throw unreachable(`no answer within ${answerMs} ms`)
      throw unreachable(error instanceof Error ? error.message : String(error))
    }
  }

  return async (method, path, body, answerMs = ANSWER_MS) => {
    const { response, text } = await ask(method, path, body, answerMs)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (response.ok)
      return {
        value: text === '' ? {} : parse(text, response.status),
        date: Number.isNaN(date) ? null : date,
      }
    const { error } = (parse(text, response.status) ?? {}) as { error?: unknown }
    throw isErrorBody(error) ? new BridgeError(error) : unreachable(`it answered HTTP ${response.status}`)
  }
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreachable(`it answered HTTP ${status} without JSON`)
  }
}

const unreachable = (why: string) =>
  new BridgeError({ code: 'host_unreachable', message: `the host could not be reached: ${why}` })

const isErrorBody = (value: unknown): value is { code: string; message: string } =>
  typeof value === 'object' &&
  value !== null &&
  'code' in value &&
  'message' in value &&
  typeof value.code === 'string' &&
  typeof value.message === 'string'
