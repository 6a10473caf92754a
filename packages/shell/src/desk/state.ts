import type { Bounds, Rect, Size } from '../geometry/rect.ts'
import { type ManageState, noManage } from '../manage/manage-state.ts'
import type { Card } from './cards.ts'
import { type JobsState, noJobs } from './jobs.ts'
import type { Notice } from './notices.ts'
import { noSessions, type SessionsState } from './sessions.ts'

/** An installed app, as the host lists it. */
export interface App {
  readonly app_id: string
  readonly slug: string
  readonly name: string
  readonly version: string
  readonly views: readonly { readonly name: string; readonly title?: string; readonly default?: boolean }[]
}

/**
 * Where a window on the desktop stands:
 * - `opening`: the host was asked, its size is not known yet.
 * - `open`: its document is, or is being, loaded.
 * - `closing`: its bundle is asked whether it may close.
 * - `lost`: the host does not know it any more.
 */
export type Phase = 'opening' | 'open' | 'closing' | 'lost'

/** What a window on the desktop shows: a new one of a view, or one that is open at the host. */
export interface Wanted {
  readonly appId: string
  readonly view?: string
  /** Set: a window that is open at the host; left out: a new one. */
  readonly windowUuid?: string
  /** The window that asked for this one. */
  readonly openerKey?: string
  /** Where it stood before. */
  readonly rect?: Rect
  readonly minimised?: boolean
}

/** A window on the desktop. */
export interface DeskWindow {
  /** Names it on this page, from the moment that it is asked for. */
  readonly key: string
  /** `null` until the host has opened it. */
  readonly uuid: string | null
  readonly wanted: Wanted
  readonly app: Pick<App, 'slug' | 'name'>
  readonly title: string
  readonly rect: Rect
  /** It was put over an edge of the desktop. */
  readonly over: boolean
  readonly bounds: Bounds
  readonly z: number
  readonly minimised: boolean
  readonly phase: Phase
  /** Whether a document in it speaks with the page. */
  readonly connected: boolean
  /** Its bundle wished to stay: until then, in Unix ms, another press of × closes it without asking. */
  readonly forceUntil: number
}

/** Who is signed in, as far as the page knows. `back`: somebody is, and may stay so. */
export type SignIn =
  | { readonly phase: 'asking' }
  /** The host does not answer as it should: it can be asked again. */
  | { readonly phase: 'trouble'; readonly problem: string }
  | { readonly phase: 'out'; readonly problem: string | null; readonly busy: boolean; readonly back: boolean }
  | { readonly phase: 'in' }

/** Everything that the page shows. */
export interface DeskState {
  readonly signIn: SignIn
  readonly apps: readonly App[]
  readonly windows: readonly DeskWindow[]
  /** The window that the user, and no bundle, brought to the front last: the keyboard may go there. */
  readonly chosen: string | null
  /** The room for windows. */
  readonly area: Size
  readonly theme: 'light' | 'dark'
  /** `lost`: the host does not answer and is tried again. */
  readonly host: 'there' | 'lost'
  readonly notices: readonly Notice[]
  readonly cards: readonly Card[]
  readonly jobs: JobsState
  readonly sessions: SessionsState
  readonly manage: ManageState
  /** What a screen reader is told last. */
  readonly said: string
  /** The side panel that is open. */
  readonly panel: string | null
  /** Notices and cards that came while their panel was shut. */
  readonly unread: { readonly notices: number; readonly chat: number }
}

/** The page before anything happened. */
export const initialState: DeskState = {
  signIn: { phase: 'asking' },
  apps: [],
  windows: [],
  chosen: null,
  area: { w: 1_024, h: 640 },
  theme: 'light',
  host: 'there',
  notices: [],
  cards: [],
  jobs: noJobs,
  sessions: noSessions,
  manage: noManage,
  said: '',
  panel: null,
  unread: { notices: 0, chat: 0 },
}
