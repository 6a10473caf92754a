import type { approvalAnswer } from '@svc/contract/routes'
import type { ToolDescription } from '@svc/contract/stdio'
import type { z } from 'zod'
import type { KnownPlugin } from '../deployments/plugins.ts'
import type { ApprovedTool } from './approval-row.ts'

/** What the user says. */
export type ApprovalAnswer = z.output<typeof approvalAnswer>

/** A call that is about to be made. */
export interface ApprovalOrder {
  readonly userId: string
  readonly appId: string
  /** The window whose page is asked; `null`: there is none. */
  readonly windowUuid: string | null
  readonly plugin: Pick<KnownPlugin, 'tool_id' | 'handle' | 'description'>
  /** `undefined`: the plugin has not said yet what it is, so it has marked nothing. */
  readonly tool: ToolDescription | undefined
  readonly args: Readonly<Record<string, unknown>>
  /** Made on demand; fires when nobody waits for the call any more. */
  readonly gone: () => AbortSignal
}

/** The user's word on calls of tools that their plugins mark as destructive. */
export interface Approvals {
  /**
   * Waits for the user's yes where a tool needs one; `undefined`: it needs none. Errors: `permission_denied` (the user
   * said no, or nobody answered), `rate_limited`, `cancelled`.
   */
  hold(order: ApprovalOrder): Promise<void> | undefined
  /** The user's answer, at whichever host the call waits; one that comes too late is no matter. */
  answer(userId: string, approvalId: string, answer: ApprovalAnswer): Promise<void>
  /** The tools that the user allowed an app for good. */
  allowed(userId: string, appId: string): Promise<Pick<ApprovedTool, 'tool_id' | 'tool'>[]>
  /** Forgets what the user allowed an app for good, with its install. */
  forget(userId: string, appId: string): Promise<void>
  /** The same as an act of the user, who keeps the app. */
  takeBack(userId: string, appId: string): Promise<void>
  /** Hears no answers any more. */
  close(): Promise<void>
}
