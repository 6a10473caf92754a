import type { EventPayloads } from '@svc/bridge'
import type { DeskParts } from './parts.ts'
import { newsOf, succeeded } from './tell.ts'

/** A call that waits for the user's yes. */
export interface Approval extends Readonly<EventPayloads['tool_approval']> {
  /** The window that asks, by its key on this page. */
  readonly windowKey: string
}

/** What the user says: this call, this tool or every tool of its plugin in this app from now on, or no. */
export type ApprovalAnswer = 'once' | 'always' | 'always_plugin' | 'no'

type Parts = Pick<DeskParts, 'store' | 'session' | 'ask' | 'tell' | 'say'>

/** Shows a question; one that is shown already stays as it is. */
export function showApproval({ store, say }: Parts, approval: Approval): void {
  if (store.get().approvals.some((one) => one.approval_id === approval.approval_id)) return
  store.set((state) => ({ ...state, approvals: [...state.approvals, approval] }))
  say(`A tool needs your yes: ${approval.tool_name}`)
}

/** Takes a question away that is over. */
export const dropApproval = ({ store }: Pick<Parts, 'store'>, id: string): void =>
  store.set((state) => ({
    ...state,
    approvals: state.approvals.filter(({ approval_id }) => approval_id !== id),
  }))

/** The questions that one card asks: those of the app that has waited longest, the oldest first. */
export const firstBatch = (approvals: readonly Approval[]): readonly Approval[] =>
  approvals.filter(({ app_id }) => app_id === approvals[0]?.app_id)

/** Gives the user's answer to the host; where that fails the question stays, and the page says why. */
export async function answerApproval(parts: Parts, id: string, answer: ApprovalAnswer): Promise<void> {
  const who = parts.session.user
  try {
    const params = { approval_id: id }
    await parts.ask('POST /api/v1/svc-apps/approvals/{approval_id}', { params, body: { answer } })
    dropApproval(parts, id)
    succeeded(parts.store, `answer ${id}`)
  } catch (error) {
    if (parts.session.user === who) parts.tell({ ...newsOf(error, 'page'), tried: `answer ${id}` })
  }
}
