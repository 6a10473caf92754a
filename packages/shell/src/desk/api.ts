import { BridgeError } from '@svc/bridge'
import type { App } from './state.ts'

/** The routes that the page asks itself, beside those of the bridge (design §9). */
export interface Api {
  /** The user's apps by name. @throws BridgeError `invalid_token` when nobody is signed in */
  apps(): Promise<readonly App[]>
  /** The development sign-in. @throws BridgeError where the host offers none, or not for this name */
  signIn(user: string): Promise<void>
}

/** A host that accepts a request and does not answer it is given up after this. */
const ANSWER_MS = 10_000

/** Speaks the host's routes on the page's own origin. `deadline` makes the signal that gives a request up. */
export function createApi(
  fetch: typeof globalThis.fetch,
  deadline: (ms: number) => AbortSignal = (ms) => AbortSignal.timeout(ms),
): Api {
  async function ask(method: string, path: string, body: unknown) {
    const signal = deadline(ANSWER_MS)
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
      if (signal.aborted) throw unreachable(`no answer within ${ANSWER_MS} ms`)
      throw unreachable(error instanceof Error ? error.message : String(error))
    }
  }

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const { response, text } = await ask(method, path, body)
    if (response.ok) return text === '' ? {} : parse(text, response.status)
    const { error } = (parse(text, response.status) ?? {}) as { error?: unknown }
    throw isErrorBody(error) ? new BridgeError(error) : unreachable(`it answered HTTP ${response.status}`)
  }

  return {
    async apps() {
      const answer = (await request('GET', '/api/v1/svc-apps/installs')) as { installs: readonly App[] }
      return [...answer.installs].sort((a, b) => a.name.localeCompare(b.name))
    },
    async signIn(user) {
      await request('POST', '/api/v1/auth/dev-login', { user })
    },
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
