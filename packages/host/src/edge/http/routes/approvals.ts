import type { RouteParts } from './env.ts'
import type { HandlersOf } from './mount.ts'

/** The user's word on calls of destructive tools: for the page alone. */
export const approvalHandlers = ({
  services: { approvals },
}: RouteParts): HandlersOf<'approvals.answer' | 'approvals.forget'> => ({
  async 'approvals.answer'({ userId, params, body }) {
    const { answer } = await body()
    await approvals.answer(userId, params.approval_id, answer)
    return {}
  },
  async 'approvals.forget'({ userId, params }) {
    await approvals.takeBack(userId, params.app_id)
    return {}
  },
})
