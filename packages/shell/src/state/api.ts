import type { JobState, Methods, ResultOf } from '@svc/contract'
import { JOB_LIST_LIMIT_MAX, SESSION_LIST_MAX } from '@svc/contract/browser'
import type { ApprovalAnswer } from './approvals.ts'
import { createExchange } from './exchange.ts'
import type { Install } from './install.ts'
import type { JobsPage } from './jobs.ts'
import { type Ask, createManageApi, type ManageApi } from './manage-api.ts'
import type { Session } from './session.ts'

/** The routes that the page asks itself, beside those of the bridge. */
export interface Api {
  /** The user's apps. @throws BridgeError `invalid_token` when nobody is signed in */
  installs(): Promise<readonly Install[]>
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

/** Speaks the host's routes on the page's own origin. `deadline` makes the signal that gives a request up. */
export function createApi(...spoken: Parameters<typeof createExchange>): Api {
  const exchange = createExchange(...spoken)
  const ask: Ask = async (key, ...input) => (await exchange(key, ...input)).value

  return {
    manage: createManageApi(ask),
    installs: async () => (await ask('GET /api/v1/svc-apps/installs')).installs,
    who: async () => (await ask('GET /api/v1/auth/whoami')).user_id,
    async signIn(user) {
      await ask('POST /api/v1/auth/dev-login', { body: { user } })
    },
    async jobs(states) {
      const query = { limit: JOB_LIST_LIMIT_MAX, state: [...states].join() }
      const { value, date } = await exchange('GET /api/v1/svc-apps/jobs', { query })
      return { ...value, date }
    },
    cancelJob: (job_id, reason) =>
      ask('POST /api/v1/svc-apps/jobs/{job_id}/cancel', {
        params: { job_id },
        body: { ...(reason !== '' && { reason }) },
      }),
    async answerApproval(approval_id, answer) {
      await ask('POST /api/v1/svc-apps/approvals/{approval_id}', {
        params: { approval_id },
        body: { answer },
      })
    },
    async sessions(withEnded) {
      const query = { limit: SESSION_LIST_MAX, include_expired: withEnded }
      return (await ask('GET /api/v1/svc-apps/sessions', { query })).sessions
    },
    async endSession(app_session_uuid) {
      await ask('DELETE /api/v1/svc-apps/sessions/{app_session_uuid}', { params: { app_session_uuid } })
    },
  }
}
