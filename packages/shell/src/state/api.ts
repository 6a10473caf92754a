import type { JobState, Methods, ResultOf } from '@svc/contract'
import { JOB_LIST_LIMIT_MAX, SESSION_LIST_MAX } from '@svc/contract/browser'
import type { ApprovalAnswer } from './approvals.ts'
import { createExchange } from './exchange.ts'
import type { JobsPage } from './jobs.ts'
import { createManageApi, type ManageApi } from './manage-api.ts'
import type { Session } from './session.ts'
import type { App } from './state.ts'

/** The routes that the page asks itself, beside those of the bridge. */
export interface Api {
  /** The user's apps by name. @throws BridgeError `invalid_token` when nobody is signed in */
  apps(): Promise<readonly App[]>
  /** Who is signed in; `null`: nobody. @throws BridgeError */
  who(): Promise<string | null>
  /** The development sign-in. @throws BridgeError where the host offers none, or not for this name */
  signIn(user: string): Promise<void>
  /**
   * The user's jobs in one of these states, over all apps, newest first; and the host's date in Unix ms, where it
   * tells one. @throws BridgeError
   */
  jobs(states: Iterable<JobState>): Promise<JobsPage & { readonly date: number | null }>
  /** Cancels a job of any app; an empty reason is none. @throws BridgeError `job_not_found` */
  cancelJob(jobId: string, reason: string): Promise<ResultOf<Methods['tools']['cancelJob']>>
  /** Answers a call that waits for the user's yes. @throws BridgeError */
  answerApproval(id: string, answer: ApprovalAnswer): Promise<void>
  /** The user's sessions over all apps, newest first; those that have ended only where they are asked for. @throws BridgeError */
  sessions(withEnded: boolean): Promise<readonly Session[]>
  /** Ends a session of any app; one that is not there is no matter. @throws BridgeError */
  endSession(uuid: string): Promise<void>
  /** Plugins, runners and installs. */
  readonly manage: ManageApi
}

const JOBS = '/api/v1/svc-apps/jobs'
const SESSIONS = '/api/v1/svc-apps/sessions'

/** Speaks the host's routes on the page's own origin. `deadline` makes the signal that gives a request up. */
export function createApi(...spoken: Parameters<typeof createExchange>): Api {
  const exchange = createExchange(...spoken)
  const request = async (...asked: Parameters<typeof exchange>) => (await exchange(...asked)).value

  return {
    manage: createManageApi(request),
    async apps() {
      const answer = (await request('GET', '/api/v1/svc-apps/installs')) as { installs: readonly App[] }
      return [...answer.installs].sort((a, b) => a.name.localeCompare(b.name))
    },
    async who() {
      const { user_id } = (await request('GET', '/api/v1/auth/whoami')) as { user_id: string | null }
      return user_id
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
    async answerApproval(id, answer) {
      await request('POST', `/api/v1/svc-apps/approvals/${encodeURIComponent(id)}`, { answer })
    },
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
