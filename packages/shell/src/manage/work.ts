import { BridgeError } from '@svc/bridge'
import { fieldOf, withLabels } from '../state/field.ts'
import { type ManageState, type Trouble, type Work, without } from '../state/manage-state.ts'
import type { DeskParts } from '../state/parts.ts'
import { newsOf } from '../state/tell.ts'
import { signInAgain } from '../windows/sign-in.ts'

/** What something led to: what changes in Manage, and what a screen reader is told. */
export interface WorkResult {
  readonly change: (manage: ManageState) => Partial<ManageState>
  readonly said?: string
}

/** Changes what Manage knows. */
export function change({ store }: Pick<DeskParts, 'store'>, how: WorkResult['change']): void {
  store.set((state) => ({ ...state, manage: { ...state.manage, ...how(state.manage) } }))
}

/** A refusal, or whatever was thrown, beside its field. */
export function troubleOf(error: unknown): Trouble {
  const { code, sentence, hint } = newsOf(error, 'manage')
  return {
    code,
    sentence: withLabels(sentence),
    hint: hint === null ? null : withLabels(hint),
    field: fieldOf(error instanceof BridgeError ? error.details.path : undefined),
  }
}

/**
 * Has the host do something under a name, once at a time, and keeps why it did not. What comes for somebody who is
 * not signed in any more is dropped. Returns whether it was done.
 */
export async function doing(
  parts: DeskParts,
  name: string,
  act: () => Promise<WorkResult>,
): Promise<boolean> {
  const { say, session, store } = parts
  if (store.get().manage.work[name]?.isBusy) return false
  const who = session.user
  const put = (work: Work) => change(parts, (manage) => ({ work: { ...manage.work, [name]: work } }))
  put({ isBusy: true, trouble: null })
  try {
    const done = await act()
    if (session.user !== who) return false
    put({ isBusy: false, trouble: null })
    change(parts, done.change)
    if (done.said) say(done.said)
    return true
  } catch (error) {
    if (session.user === who) put({ isBusy: false, trouble: troubleOf(error) })
    if (error instanceof BridgeError && error.code === 'invalid_token') await signInAgain(parts)
    return false
  }
}

/** Forgets why something was not done. */
export const forget = (parts: Pick<DeskParts, 'store'>, name: string): void =>
  change(parts, ({ work }) => ({ work: without(work, name) }))
