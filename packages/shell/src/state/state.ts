import type { Bounds, Rect, Size } from '../geometry/rect.ts'
import type { Approval } from './approvals.ts'
import type { Card } from './cards.ts'
import type { Install } from './install.ts'
import { type ManageState, noManage } from './manage-state.ts'
import type { Notice } from './notices.ts'
import { noAsks, type PlugAsks } from './plug-ask.ts'
import { noWishes, type WishAsks } from './wish-ask.ts'

/** An installed app, as the launcher shows it. */
export type App = Pick<
  Install,
  'app_id' | 'slug' | 'name' | 'version' | 'latest_release' | 'build_problem' | 'views'
>

/**
 * Where a window on the desktop stands:
 * - `opening`: the host was asked, its size is not known yet.
 * - `open`: its document is, or is being, loaded.
 * - `closing`: its bundle is asked whether it may close.
 * - `failed`: its app did not load.
 * - `lost`: the host does not know it any more.
 */
export type Phase = 'opening' | 'failed' | 'open' | 'closing' | 'lost'

/** What a window on the desktop shows: a new one of a view, or one that is open at the host. */
export interface WindowOrder {
  readonly appId: string
  readonly view?: string
  /** Set: a window that is open at the host; left out: a new one. */
  readonly windowUuid?: string
  /** The window that asked for this one. */
  readonly openerKey?: string
  /** How it was on the desktop before. */
  readonly was?: WindowPlacement
}

/** How a window is on the desktop. */
export interface WindowPlacement {
  readonly rect: Rect
  /** The user put it over an edge of the desktop. */
  readonly over: boolean
  readonly minimised: boolean
  /** It is as large as its view and the desktop allow; `rect` is where it goes when it is restored. */
  readonly maximised: boolean
}

/** A window on the desktop. */
export interface DeskWindow extends WindowPlacement {
  /** Names it on this page, from the moment that it is asked for. */
  readonly key: string
  /** `null` until the host has opened it. */
  readonly uuid: string | null
  readonly wanted: WindowOrder
  readonly app: Pick<App, 'slug' | 'name'>
  readonly title: string
  readonly bounds: Bounds
  readonly z: number
  readonly phase: Phase
  /** Whether a document in it speaks with the page. */
  readonly connected: boolean
  /** Whether that document gives signs of life. */
  readonly responds: boolean
  /** The document in it is gone and did not come back. */
  readonly ended: boolean
  /** Its bundle wished to stay: until then, in Unix ms, another press of × closes it without asking. */
  readonly forceUntil: number
  /** The version of its app that it runs; `null`: one that the page does not know. */
  readonly version: string | null
}

/** Who is signed in, as far as the page knows. `back`: somebody is, and may stay so. */
export type SignIn =
  | { readonly phase: 'asking' }
  /** The host does not respond as it should: it can be asked again. */
  | { readonly phase: 'trouble'; readonly problem: string }
  | { readonly phase: 'out'; readonly problem: string | null; readonly busy: boolean; readonly back: boolean }
  | { readonly phase: 'in' }

/** What a small screen can show in the place of the window in front. */
export type Sheet = 'apps' | 'windows'

/** Everything that the page shows. */
export interface DeskState {
  readonly signIn: SignIn
  readonly windows: readonly DeskWindow[]
  /** The window that the user, and no bundle, brought to the front last: the keyboard may go there. */
  readonly chosen: string | null
  /** The room for windows. */
  readonly area: Size
  /** The screen has room for one window at a time. */
  readonly small: boolean
  /** What the user asked for on a small screen instead of the window in front. */
  readonly sheet: Sheet | null
  readonly theme: 'light' | 'dark'
  /** `lost`: the host does not answer and is tried again; `intercepted`: something before it answers in its place. */
  readonly host: 'there' | 'lost' | 'intercepted'
  readonly notices: readonly Notice[]
  readonly cards: readonly Card[]
  /** Calls of tools that wait for the user's yes, the oldest first. */
  readonly approvals: readonly Approval[]
  /** The user wants to see the sessions that have ended. */
  readonly withEnded: boolean
  readonly manage: ManageState
  /** Plugins of others that apps called and that the user has not agreed to. */
  readonly plugAsks: PlugAsks
  /** Pages of other sites that apps ask to be opened. */
  readonly wishes: WishAsks
  /** What is open over the whole page. */
  readonly dialog: 'find' | 'keys' | null
  /** What a screen reader announced last. */
  readonly said: string
  /** The side panel that is open. */
  readonly panel: string | null
  /** Notices and cards that came while their panel was shut. */
  readonly unread: { readonly notices: number; readonly chat: number }
}

/** What the page has of its user; it goes when another one signs in. */
export const noUser = {
  notices: [],
  cards: [],
  approvals: [],
  withEnded: false,
  manage: noManage,
  plugAsks: noAsks,
  wishes: noWishes,
  unread: { notices: 0, chat: 0 },
} satisfies Partial<DeskState>

/** The page before anything happened. */
export const initialState: DeskState = {
  ...noUser,
  signIn: { phase: 'asking' },
  windows: [],
  chosen: null,
  area: { w: 1_024, h: 640 },
  small: false,
  sheet: null,
  theme: 'light',
  host: 'there',
  dialog: null,
  said: '',
  panel: null,
}
