import { BridgeError } from '@svc/bridge'
import type { JobState, Methods, ResultOf } from '@svc/contract'
import { JOB_LIST_LIMIT_MAX, SESSION_LIST_MAX } from '@svc/contract/browser'
import type { JobsPage } from './jobs.ts'
import type { Session } from './session.ts'
import type { App } from './state.ts'

/** The routes that the page asks itself, beside those of the bridge (design §9). */
export interface Api {
  /** The user's apps by name. @throws BridgeError `invalid_token` when nobody is signed in */
  apps(): Promise<readonly App[]>
  /** The development sign-in. @throws BridgeError where the host offers none, or not for this name */
  signIn(user: string): Promise<void>
  /**
   * The user's jobs in one of these states, over all apps, newest first; and the host's date in Unix ms, where it
   * tells one. @throws BridgeError
   */
  jobs(states: Iterable<JobState>): Promise<JobsPage & { readonly date: number | null }>
  /** Cancels a job of any app; an empty reason is none. @throws BridgeError `job_not_found` */
  cancelJob(jobId: string, reason: string): Promise<ResultOf<Methods['tools']['cancelJob']>>
  /** The user's sessions over all apps, newest first; those that have ended only where they are asked for. @throws BridgeError */
  sessions(withEnded: boolean): Promise<readonly Session[]>
  /** Ends a session of any app; one that is not there is no matter. @throws BridgeError */
  endSession(uuid: string): Promise<void>
}

/** A host that accepts a request and does not answer it is given up after this. */
const ANSWER_MS = 10_000
const JOBS = '/api/v1/svc-apps/jobs'
const SESSIONS = '/api/v1/svc-apps/sessions'

/** What a route answered, and the host's date in Unix ms. */
interface Answer {
  readonly value: unknown
  readonly date: number | null
}

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

  async function exchange(method: string, path: string, body?: unknown): Promise<Answer> {
    const { response, text } = await ask(method, path, body)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (response.ok)
      return {
        value: text === '' ? {} : parse(text, response.status),
        date: Number.isNaN(date) ? null : date,
      }
    const { error } = (parse(text, response.status) ?? {}) as { error?: unknown }
    throw isErrorBody(error) ? new BridgeError(error) : unreachable(`it answered HTTP ${response.status}`)
  }

  const request = async (...asked: Parameters<typeof exchange>) => (await exchange(...asked)).value

  return {
    async apps() {
      const answer = (await request('GET', '/api/v1/svc-apps/installs')) as { installs: readonly App[] }
      return [...answer.installs].sort((a, b) => a.name.localeCompare(b.name))
    },
    async signIn(user) {
      await request('POST', '/api/v1/auth/dev-login', { user })
    },
    async jobs(states) {
      const query = new URLSearchParams({ limit: String(JOB_LIST_LIMIT_MAX), state: [...states].join() })
      const { value, date } = await exchange('GET', `${JOBS}?${query}`)
      return { ...(value as JobsPage), date }
    },
    cancelJob: async (jobId, reason) =>
      (await request('POST', `${JOBS}/${encodeURIComponent(jobId)}/cancel`, {
        ...(reason !== '' && { reason }),
      })) as ResultOf<Methods['tools']['cancelJob']>,
    async sessions(withEnded) {
      const query = new URLSearchParams({
        limit: String(SESSION_LIST_MAX),
        include_expired: String(withEnded),
      })
      const answer = (await request('GET', `${SESSIONS}?${query}`)) as { sessions: readonly Session[] }
      return answer.sessions
    },
    async endSession(uuid) {
      await request('DELETE', `${SESSIONS}/${encodeURIComponent(uuid)}`)
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
