import type { Visibility } from '@svc/contract'
import type { VersionPreview } from './plug.ts'
import { emptyNewPlug, type NewPlug, type PlugFields } from './plug-form.ts'

/** A tab of Manage. */
export type Tab = 'plugins' | 'runners' | 'apps'

/** A tab whose lists are searched. */
export type SearchedTab = Exclude<Tab, 'runners'>

/** What the tab of plugins shows: the lists, the form of one that is to be, or one of the user's own. */
export type Place =
  | { readonly at: 'list' }
  | { readonly at: 'new' }
  | { readonly at: 'own'; readonly toolId: string }

/** What is open and typed in Manage. It outlives every switch of tabs, and the page itself. */
export interface ManageState {
  readonly isOpen: boolean
  readonly tab: Tab
  readonly place: Place
  /** What is typed to search the lists of a tab. */
  readonly searches: Readonly<Record<SearchedTab, string>>
  /** The plugin that was shown before the list: the keyboard goes back to it. */
  readonly cameFrom: string | null
  /** What a new version of a plugin would be, as its owner looked at it last. */
  readonly previews: Readonly<Record<string, VersionPreview>>
  readonly newPlug: NewPlug
  /** What is typed of own plugins and not saved. */
  readonly edits: Readonly<Record<string, PlugFields>>
  /** What is chosen of own plugins and not done: who is to see them, and what the next version is to be. */
  readonly wanted: Readonly<Record<string, Visibility>>
  readonly nextVersions: Readonly<Record<string, string>>
  /** The machine that was enrolled just now: its token is never told again. */
  readonly enrolled: { readonly name: string; readonly token: string } | null
  readonly runnerName: string
}

/** Nothing is open and nothing typed. */
export const noManage: ManageState = {
  isOpen: false,
  tab: 'plugins',
  place: { at: 'list' },
  searches: { plugins: '', apps: '' },
  cameFrom: null,
  previews: {},
  newPlug: emptyNewPlug,
  edits: {},
  wanted: {},
  nextVersions: {},
  enrolled: null,
  runnerName: '',
}

/** A record without one of its entries. */
export function without<Value>(record: Readonly<Record<string, Value>>, name: string) {
  const { [name]: _, ...rest } = record
  return rest
}

/** Goes to a place. */
export const goTo =
  (place: Place) =>
  ({ place: before }: ManageState): Partial<ManageState> => ({
    place,
    cameFrom: before.at === 'own' ? before.toolId : null,
  })
