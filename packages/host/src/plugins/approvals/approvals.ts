import { refuse } from '@svc/contract'
import type { approvalAnswer } from '@svc/contract/routes'
import type { ToolDescription } from '@svc/contract/stdio'
import { visibleLine, visibleText } from '@svc/contract/visible-text'
import { all } from '@svc/state'
import type { z } from 'zod'
import { windows } from '../../catalog/window-row.ts'
import { isoOf } from '../../kernel/iso.ts'
import { jsonOf } from '../../kernel/json.ts'
import { insertWithRoom } from '../../kernel/room.ts'
import { type KnownPlugin, nameOf } from '../deployments/plugins.ts'
import type { PluginServices } from '../services.ts'
import { type ApprovedTool, approvalId, EVERY_TOOL, approvals as rows } from './approval-row.ts'
import { indentJson } from './indent-json.ts'

/** What the user says. */
export type ApprovalAnswer = z.output<typeof approvalAnswer>

/** A call that is about to be made. */
export interface ApprovalOrder {
  readonly userId: string
  readonly appId: string
  /** The window whose page is asked; `null`: there is none. */
  readonly windowUuid: string | null
  /** Whether the window itself calls just now, so that its page is there. */
  readonly isCalling?: boolean
  /** `null`: the tool is one of the host itself. */
  readonly plugin: Pick<KnownPlugin, 'tool_id' | 'handle' | 'description'> | null
  readonly tool: Pick<ToolDescription, 'name' | 'description' | 'destructive'>
  readonly args: Readonly<Record<string, unknown>>
  /** Made on demand; fires when nobody waits for the call any more. */
  readonly gone: () => AbortSignal
  /** When the time of the call is over, in Unix ms: an answer after that starts nothing. */
  readonly deadlineMs: number
}

/** The user's decision on calls of tools that are marked as destructive. */
export interface Approvals {
  /**
   * Waits for the user's yes where a tool needs one; `undefined`: it needs none. Errors: `permission_denied` (the user
   * said no, nobody answered, or nobody is there to answer), `rate_limited`, `cancelled`.
   */
  waitForApproval(order: ApprovalOrder): Promise<void> | undefined
  /** The user's answer, at whichever host the call waits; one that comes too late is ignored. */
  answer(userId: string, approvalId: string, answer: ApprovalAnswer): Promise<void>
  /** The tools that the user allowed an app for good. */
  allowed(userId: string, appId: string): Promise<Pick<ApprovedTool, 'tool_id' | 'tool'>[]>
  /** Forgets what the user allowed an app for good, with its install. */
  forget(userId: string, appId: string): Promise<void>
  /** The same as an act of the user, who keeps the app. */
  takeBack(userId: string, appId: string): Promise<void>
  /** Stops listening for answers. */
  close(): Promise<void>
}

type Parts = Pick<
  PluginServices,
  'bus' | 'clock' | 'events' | 'limits' | 'log' | 'newId' | 'settings' | 'store'
>

/** Stands for the host where a plugin has its id: no plugin can have this one. */
const HOST_ID = 'host'

/** A call that waits. */
interface Waiting {
  readonly what: ApprovedTool
  /** Whether there is more of its arguments than the user sees. */
  readonly isCut: boolean
  settle(answer: ApprovalAnswer): void
}

/** What hosts say to each other: an answer for whoever waits for it, or that a tool was allowed for good. */
type Said =
  | { readonly user_id: string; readonly id: string; readonly answer: ApprovalAnswer }
  | { readonly kept: string }

const TOPIC = 'approvals'

/** Opens the approvals. What waits is kept by the host of the call; answers find it over the bus. */
export function openApprovals(parts: Parts): Approvals {
  const { bus, clock, events, limits, log, newId, settings, store } = parts
  const waiting = new Map<string, Waiting>()
  const tell = (said: Said) => bus.publish(TOPIC, JSON.stringify(said))
  const listening = bus.subscribe(TOPIC, (text) => {
    const said = JSON.parse(text) as Said
    if ('kept' in said) settleSame(said.kept)
    else onAnswer(said.user_id, said.id, said.answer)
  })
  listening.catch((err: unknown) =>
    log.error({ err }, 'the answers of users to approvals cannot be received'),
  )

  function onAnswer(userId: string, id: string, said: ApprovalAnswer): void {
    const asked = waiting.get(id)
    if (asked?.what.user_id !== userId) return
    // Nobody says yes for good to what was not all shown.
    const answer = asked.isCut && said !== 'no' ? 'once' : said
    asked.settle(answer)
    if (answer === 'once' || answer === 'no') return
    const kept = approvalId(forGood(asked.what, answer))
    settleSame(kept)
    tell({ kept }).catch((err: unknown) =>
      log.warn({ err }, 'the other hosts could not be notified of an approval'),
    )
  }

  /** Others of the same tool, or plugin, wait for the same decision. */
  function settleSame(kept: string): void {
    for (const { what, settle } of [...waiting.values()]) if (idsOf(what).includes(kept)) settle('once')
  }

  async function isKept(what: ApprovedTool): Promise<boolean> {
    for (const id of idsOf(what)) if (await store.get(rows, id)) return true
    return false
  }

  /** Whether a page may show a question in this window. */
  async function isWatched(windowUuid: string): Promise<boolean> {
    const row = (await store.get(windows, windowUuid))?.row
    return (
      row !== undefined &&
      row.status !== 'closed' &&
      clock.now() - row.last_seen_at < limits.APPROVAL_UNSEEN_MS
    )
  }

  async function ask(order: ApprovalOrder): Promise<void> {
    const { userId, appId, windowUuid, plugin, tool } = order
    const what = { user_id: userId, app_id: appId, tool_id: plugin?.tool_id ?? HOST_ID, tool: tool.name }
    if (await isKept(what)) return
    if (windowUuid === null)
      throw denied(`${named(order)} needs a yes of its user: there is no window in which to ask`, UNATTENDED)
    if (!order.isCalling && !(await isWatched(windowUuid)))
      throw denied(
        `${named(order)} needs a yes of its user: no page shows the window, so nobody is there to answer`,
        UNATTENDED,
      )
    const count = [...waiting.values()].filter(
      (one) => one.what.user_id === userId && one.what.app_id === appId,
    ).length
    const max = limits.APPROVALS_WAITING_PER_APP
    if (count >= max)
      throw refuse('rate_limited', `an app may have ${max} calls that wait for the user's yes`, { max })
    const waitMs = Math.min(limits.APPROVAL_WAIT_MS, order.deadlineMs - clock.now())
    const answer = await answered(order, what, windowUuid, waitMs)
    if (answer === 'always' || answer === 'always_plugin') await keep(forGood(what, answer))
    if (answer === 'no') throw denied(`${named(order)} was not used: you said no`)
    if (answer === 'late') {
      const seconds = Math.round(waitMs / 1_000)
      throw denied(`${named(order)} was not used: you did not answer within ${seconds} s`, LATE)
    }
    if (answer === 'gone') throw refuse('cancelled')
  }

  async function keep(what: ApprovedTool): Promise<void> {
    const cap = { index: 'byApp', eq: [what.user_id, what.app_id], max: limits.APPROVALS_PER_APP } as const
    await insertWithRoom(
      store,
      rows,
      approvalId(what),
      { ...what, created_at: clock.now() },
      { room: { cap, oldest: 'byApp', forget: ({ id, revision }) => store.remove(rows, id, revision) } },
    )
  }

  function answered(
    { plugin, tool, args, gone }: ApprovalOrder,
    what: ApprovedTool,
    windowUuid: string,
    waitMs: number,
  ): Promise<ApprovalAnswer | 'late' | 'gone'> {
    const id = newId('approval')
    const signal = gone()
    const max = limits.APPROVAL_ARGS_MAX_CHARS
    const json = jsonOf(args)
    const shown = visibleText(indentJson(json.slice(0, max + 1), max))
    // White space that is not shown may fill what is laid out.
    const isCut = json.length > max || shown.length > max
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer | 'late' | 'gone') => {
        if (!waiting.delete(id)) return
        stop()
        signal.removeEventListener('abort', leave)
        events.emit(what.user_id, 'tool_approval_over', windowUuid, { approval_id: id })
        resolve(answer)
      }
      const leave = () => settle('gone')
      const stop = clock.setTimer(() => settle('late'), waitMs)
      waiting.set(id, { what, isCut, settle })
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) return leave()
      events.emit(what.user_id, 'tool_approval', windowUuid, {
        approval_id: id,
        app_id: what.app_id,
        tool_id: what.tool_id,
        tool_name: visibleLine(what.tool),
        plugin_name: plugin && visibleLine(nameOf(plugin)),
        description: visibleLine(tool.description ?? ''),
        args_text: shown.slice(0, max),
        args_cut: isCut,
        args_bytes: Buffer.byteLength(json),
        expires_at: isoOf(clock.now() + waitMs),
      })
    })
  }

  const rowsOf = (userId: string, appId: string) => all(store, rows, 'byApp', { eq: [userId, appId] })

  async function forget(userId: string, appId: string): Promise<void> {
    for (const { id, revision } of await rowsOf(userId, appId)) await store.remove(rows, id, revision)
  }

  return {
    waitForApproval: (order) =>
      settings.approvals === 'none' || order.tool.destructive !== true ? undefined : ask(order),
    async answer(userId, id, answer) {
      if (waiting.has(id)) onAnswer(userId, id, answer)
      else await tell({ user_id: userId, id, answer })
    },
    async allowed(userId, appId) {
      const found = await rowsOf(userId, appId)
      return found.map(({ row: { tool_id, tool } }) => ({ tool_id, tool }))
    },
    forget,
    takeBack: forget,
    close: () => listening.then((stop) => stop()).catch(() => {}),
  }
}

/** What an answer for good is about. */
const forGood = (what: ApprovedTool, answer: ApprovalAnswer): ApprovedTool =>
  answer === 'always_plugin' ? { ...what, tool: EVERY_TOOL } : what

/** What may have allowed a tool: the user's word about it, or about its plugin. */
const idsOf = (what: ApprovedTool) => [approvalId(what), approvalId({ ...what, tool: EVERY_TOOL })]

const ASKED =
  'It is marked as destructive. The page asks the user on the event tool_approval; POST /api/v1/svc-apps/approvals/{approval_id} answers.'
const LATE = { hint: 'Try again, and answer the question.', author_hint: ASKED }
const UNATTENDED = {
  hint: 'It is marked as destructive. Open the app in a page, or let its user answer Always before it works alone.',
}

/** The tool in the words of the question. */
const named = ({ plugin, tool }: Pick<ApprovalOrder, 'plugin' | 'tool'>) =>
  `${JSON.stringify(visibleLine(tool.name))} of ${plugin ? `the plugin ${visibleLine(nameOf(plugin))}` : 'this host'}`

/** An app shows its user the message and the hint. */
const denied = (message: string, more: { readonly hint?: string; readonly author_hint?: string } = {}) =>
  refuse('permission_denied', message, { denied_by: 'approval', ...more })
