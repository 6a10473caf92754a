import type { WorkServices } from '../services.ts'
import type { SessionRecord } from './session-row.ts'

const SECOND_MS = 1_000

/**
 * Opens the tokens of sessions that this host minted. They say who asks; whether the session lives says its row. At
 * most `VERIFIED_TOKENS_MAX` are kept, the oldest go first.
 */
export function openSessionTokens({
  clock,
  limits,
  tokens,
}: Pick<WorkServices, 'clock' | 'limits' | 'tokens'>) {
  const ttlMs = limits.SESSION_TOKEN_TTL_MS
  const kept = new Map<string, { readonly text: Promise<string>; readonly until: number }>()
  const seconds = (ms: number) => Math.floor(ms / SECOND_MS)

  /** Kept before it is signed, so that a `drop` in between is not undone. */
  function mint({ id, row }: SessionRecord) {
    const { user_id, app_id, kind, submode, fixed_client_id } = row
    const claims = { app_session_uuid: id, user_id, app_id, kind, submode, fixed_client_id }
    const minted = { text: tokens.mint('session', claims, ttlMs), until: clock.now() + ttlMs }
    kept.delete(id)
    kept.set(id, minted)
    if (kept.size > limits.VERIFIED_TOKENS_MAX) {
      const oldest = kept.keys().next().value
      if (oldest !== undefined) kept.delete(oldest)
    }
    return minted
  }

  return {
    /**
     * The token of a session, minted again where there is none with half its life left, and how many whole seconds it
     * has left.
     */
    async of(record: SessionRecord): Promise<{ readonly token: string; readonly expiresIn: number }> {
      const known = kept.get(record.id)
      const isFresh = known !== undefined && known.until - clock.now() > ttlMs / 2
      const { text, until } = isFresh ? known : mint(record)
      try {
        return { token: await text, expiresIn: seconds(until - clock.now()) }
      } catch (error) {
        kept.delete(record.id)
        throw error
      }
    },
    /** Whole seconds that the token of a session has left; one that is yet to be minted has all of them. */
    secondsLeft: (uuid: string): number =>
      seconds(Math.max(0, (kept.get(uuid)?.until ?? clock.now() + ttlMs) - clock.now())),
    drop: (uuid: string): void => void kept.delete(uuid),
  }
}

export type SessionTokens = ReturnType<typeof openSessionTokens>
