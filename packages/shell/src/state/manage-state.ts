import type { Visibility } from '@svc/contract'
import type { FieldName } from './field.ts'
import type { Install } from './install.ts'
import type { ListedPlug, OwnPlug, PlugVersion, VersionPreview } from './plug.ts'
import { emptyNewPlug, type NewPlug, type PlugFields } from './plug-form.ts'
import type { Runner } from './runner.ts'

/** A tab of Manage. */
export type Tab = 'plugins' | 'runners' | 'apps'

/** What the tab of plugins shows: the lists, the form of one that is to be, or one of the user's own. */
export type Place =
  | { readonly at: 'list' }
  | { readonly at: 'new' }
  | { readonly at: 'own'; readonly toolId: string }

/** Why something was not done, and the field that it speaks of. */
export interface Trouble {
  readonly code: string
  readonly sentence: string
  readonly hint: string | null
  readonly field: FieldName
}

/** How something that the host was asked to do stands: it stays until it is tried again. */
export interface Work {
  readonly isBusy: boolean
  readonly trouble: Trouble | null
}

/** A list as the host told it. */
export interface ListState<Item> {
  readonly list: readonly Item[]
  /** When, in Unix ms; `null`: not yet. */
  readonly readAt: number | null
  /** Why it cannot be read now: the list is how it was. */
  readonly problem: string | null
}

/** What Manage knows and what is typed in it. It outlives every switch of tabs, and the page itself. */
export interface ManageState {
  readonly isOpen: boolean
  readonly tab: Tab
  readonly place: Place
  /** The plugin that was shown before the list: the keyboard goes back to it. */
  readonly cameFrom: string | null
  readonly own: ListState<ListedPlug>
  readonly others: ListState<ListedPlug>
  /** Where the list of others goes on; `null`: nowhere. */
  readonly othersNext: string | null
  readonly plugs: Readonly<Record<string, OwnPlug>>
  readonly versions: Readonly<Record<string, readonly PlugVersion[]>>
  /** What a new version of a plugin would be, as its owner looked at it last. */
  readonly previews: Readonly<Record<string, VersionPreview>>
  readonly newPlug: NewPlug
  /** What is typed of own plugins and not saved. */
  readonly edits: Readonly<Record<string, PlugFields>>
  /** What is chosen of own plugins and not done: who is to see them, and what the next version is to be. */
  readonly wanted: Readonly<Record<string, Visibility>>
  readonly nextVersions: Readonly<Record<string, string>>
  readonly runners: ListState<Runner>
  /** The machine that was enrolled just now: its token is never told again. */
  readonly enrolled: { readonly name: string; readonly token: string } | null
  readonly runnerName: string
  readonly installs: ListState<Install>
  /** The time that times are shown for, in Unix ms. */
  readonly shownAt: number
  readonly work: Readonly<Record<string, Work>>
}

const untold = { list: [], readAt: null, problem: null }

/** Nothing is known and nothing typed. */
export const noManage: ManageState = {
  isOpen: false,
  tab: 'plugins',
  place: { at: 'list' },
  cameFrom: null,
  own: untold,
  others: untold,
  othersNext: null,
  plugs: {},
  versions: {},
  previews: {},
  newPlug: emptyNewPlug,
  edits: {},
  wanted: {},
  nextVersions: {},
  runners: untold,
  enrolled: null,
  runnerName: '',
  installs: untold,
  shownAt: 0,
  work: {},
}

/** A record without one of its entries. */
export function without<Value>(record: Readonly<Record<string, Value>>, name: string) {
  const { [name]: _, ...rest } = record
  return rest
}
