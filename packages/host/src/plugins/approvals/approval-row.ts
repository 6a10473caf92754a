import { createHash } from 'node:crypto'
import { collection } from '@svc/state'

/** A tool that a user allowed an app for good. */
export interface ApprovalRow {
  readonly user_id: string
  readonly app_id: string
  readonly tool_id: string
  readonly tool: string
  readonly created_at: number
}

/** Stands where a tool has its name, which no tool can have: every tool of the plugin. */
export const EVERY_TOOL = '*'

/** Which tool in which app of which user. */
export type ApprovedTool = Omit<ApprovalRow, 'created_at'>

export const approvals = collection({
  name: 'approvals',
  row: {} as ApprovalRow,
  indexes: { byApp: (row) => [row.user_id, row.app_id, row.created_at] },
})

/** One record a user, app and tool, or plugin. */
export const approvalId = ({ user_id, app_id, tool_id, tool }: ApprovedTool): string =>
  createHash('sha256')
    .update(JSON.stringify([user_id, app_id, tool_id, tool]))
    .digest('base64url')
