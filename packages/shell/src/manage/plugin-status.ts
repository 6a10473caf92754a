import type { SnapshotStatus } from '@svc/contract'
import { offlineProblem, unaskedProblem } from '@svc/contract/browser'
import { withLabels } from '../state/field.ts'
import { newsBetween } from '../state/gather-news.ts'
import type { StateRow } from '../state/job.ts'
import type { PlugStatus, PlugType } from '../state/plug.ts'

type Row = Pick<StateRow, 'word' | 'tone'>

const standings: Readonly<Record<NonNullable<PlugStatus['status']>, Row & { readonly sentence: string }>> = {
  available: { word: 'available', tone: 'good', sentence: 'One of your runners has it ready.' },
  deploying: { word: 'deploying', tone: 'busy', sentence: 'It is being installed on a runner.' },
  unavailable: { word: 'unavailable', tone: 'bad', sentence: 'None of your runners has it.' },
}
/** The same of a plugin of the operator, which no runner of a user has. */
const hosted: Readonly<Record<NonNullable<PlugStatus['status']>, string>> = {
  available: 'This host runs it for everybody.',
  deploying: 'This host is asking it what it can do.',
  unavailable: 'This host could not start it.',
}
const unasked = {
  word: 'not installed yet',
  tone: 'still',
  sentence: 'It is installed when an app first asks for it.',
} as const
/** Nothing is wrong with it: users whose machine is on have it all the same. */
const offline = {
  word: 'no machine online',
  tone: 'still',
  sentence: 'It runs as soon as one of your machines is online.',
} as const
const untold = { word: 'published', tone: 'still', sentence: 'It is installed once an app uses it.' } as const
const skill = {
  word: 'skill',
  tone: 'still',
  sentence: 'A skill has no process: it is read, never called.',
} as const

/** The status of a plugin, in a word and a sentence. */
export function pluginStatus(
  type: PlugType,
  { status, problem, configured = false }: PlugStatus,
): Row & { readonly sentence: string } {
  if (type === 'skill') return skill
  if (problem === unaskedProblem) return unasked
  if (problem === offlineProblem) return offline
  const row = status ? { ...standings[status], ...(configured && { sentence: hosted[status] }) } : untold
  return problem ? { ...row, sentence: withLabels(problem) } : row
}

/** What of a plugin is news. */
type PluginStatus = PlugStatus & { readonly tool_id: string; readonly name: string; readonly type: PlugType }

/** What a screen reader announces of plugins whose status changed. */
export const pluginNews = (before: readonly PluginStatus[], after: readonly PluginStatus[]) =>
  newsBetween(before, after, ({ tool_id }) => tool_id, {
    of(plug, old) {
      const { word, sentence } = pluginStatus(plug.type, plug)
      return !old || pluginStatus(old.type, old).word === word ? null : `${plug.name} is ${word}. ${sentence}`
    },
  })

/** How each status of a version is shown. */
export const versionRows: Readonly<Record<SnapshotStatus, Row>> = {
  active: { word: 'offered', tone: 'good' },
  deprecated: { word: 'deprecated', tone: 'wait' },
  yanked: { word: 'yanked', tone: 'bad' },
}

/** Something that its owner can do to a version. */
export interface MarkRow {
  readonly status: SnapshotStatus
  /** On the button, and on the one that does it. */
  readonly word: string
  readonly act: string
  /** What it means for others. */
  readonly sentence: string
  /** Whether it takes a reason and a successor. */
  readonly isExplained: boolean
}

const deprecate: MarkRow = {
  status: 'deprecated',
  word: 'Deprecate',
  act: 'Deprecate it',
  sentence: 'It is still offered, with a note to move to another version.',
  isExplained: true,
}
const yank: MarkRow = {
  status: 'yanked',
  word: 'Yank',
  act: 'Yank it',
  sentence: 'It is no longer offered. Apps released with it keep it.',
  isExplained: true,
}
const restore: MarkRow = {
  status: 'active',
  word: 'Take back',
  act: 'Offer it again',
  sentence: 'It is offered as before; its reason and replacement are cleared.',
  isExplained: false,
}

/** What can be done to a version by its status. */
export const marks: Readonly<Record<SnapshotStatus, readonly MarkRow[]>> = {
  active: [deprecate, yank],
  deprecated: [yank, restore],
  yanked: [restore],
}
