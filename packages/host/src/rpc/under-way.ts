import type { OpenUsers } from '../users/users.ts'

/** A call under way, which ends with the access of its user. */
export interface CallUnderWay {
  /** Fires when the caller is no longer there, or may act no more. */
  gone(): AbortSignal
  leave(): void
}

/** The calls under way on this host. */
export type EnterCall = (userId: string, gone: () => AbortSignal) => CallUnderWay

/** Opens the calls under way. A signal is made for those alone that ask for it: most calls wait for nothing. */
export function openCallsUnderWay({ onEnd }: Pick<OpenUsers, 'onEnd'>): EnterCall {
  const byUser = new Map<string, Set<() => void>>()
  onEnd(({ user_id }) => {
    for (const cut of byUser.get(user_id) ?? []) cut()
  })
  return (userId, gone) => {
    let isCut = false
    let own: AbortController | undefined
    const cut = () => {
      isCut = true
      own?.abort()
    }
    const calls = byUser.get(userId) ?? new Set()
    if (calls.size === 0) byUser.set(userId, calls)
    calls.add(cut)
    return {
      gone() {
        own ??= new AbortController()
        if (isCut) own.abort()
        return AbortSignal.any([gone(), own.signal])
      },
      leave() {
        calls.delete(cut)
        if (calls.size === 0 && byUser.get(userId) === calls) byUser.delete(userId)
      },
    }
  }
}
