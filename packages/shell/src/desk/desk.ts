import type { SvcWindow } from '@svc/bridge'
import type { Rect, Size } from '../geometry/rect.ts'
import type { ManageState } from '../state/manage-state.ts'
import { quieten } from '../state/notices.ts'
import type { DeskParts } from '../state/parts.ts'
import { createQueries } from '../state/queries.ts'
import { type DeskState, initialState, type Sheet } from '../state/state.ts'
import { createStore } from '../state/store.ts'
import { newsOf, quiet, showNotice } from '../state/tell.ts'
import { close, end } from '../windows/close.ts'
import { contextAll } from '../windows/context.ts'
import { placed, setArea, setRect } from '../windows/move.ts'
import { add, fill } from '../windows/open.ts'
import { minimise, raise, toggleMaximised } from '../windows/raise.ts'
import { reload, renew, reopenLost } from '../windows/reopen.ts'
import { begin, changeName, keepName, signIn, signInAgain, signOut } from '../windows/sign-in.ts'
import { followBridge } from './follow-bridge.ts'

/** The page without its looks: what it shows, and everything that can be done on it. */
export type Desk = ReturnType<typeof createDesk>

/** Makes the desk. */
export function createDesk(
  options: Pick<DeskParts, 'bridge' | 'exchange' | 'memory' | 'tabs' | 'now' | 'later' | 'locale'>,
) {
  const { bridge, memory, now } = options
  const store = createStore<DeskState>(initialState)
  const filled = new Set<string>()
  let keys = 0
  const newKey = () => `k${++keys}`
  const parts: DeskParts = {
    ...options,
    store,
    ask: async (key, ...input) => (await options.exchange(key, ...input)).value,
    queries: createQueries(() => void signInAgain(parts)),
    raised: { hostZ: 0, untold: new Set(), isTelling: false, opening: new Set(), at: new Map() },
    sizes: { chosen: new Set(), told: new Map(), telling: new Map() },
    newKey,
    handles: new Map<string, SvcWindow>(),
    focusChecks: new Set(),
    keyPresses: new Set(),
    session: { user: null, again: null },
    tell: (news) => showNotice(store, news, newKey(), now()),
    // A text that stays the same is not read again: the same sentence comes back with a space that nobody hears.
    say: (said) => store.set((state) => ({ ...state, said: said === state.said ? `${said}\u00a0` : said })),
  }
  const stop = followBridge(parts)

  return {
    ...parts,
    /** Who is signed in; where the page does not know, the name that signs in by itself; or `null`. */
    get user() {
      return parts.session.user ?? memory.user
    },
    begin: () => begin(parts),
    /** Asks for another name, or leaves it as it is. */
    changeName: () => changeName(parts),
    keepName: () => keepName(parts),
    signOut: () => signOut(parts),
    signIn: (user: string, remember: boolean) => signIn(parts, user, remember),
    /** Opens a window of an app; returns its key. */
    open(appId: string, view?: string): string {
      const key = add(parts, { appId, ...(view !== undefined && { view }) })
      store.set((state) => ({ ...state, chosen: key, sheet: null }))
      return key
    },
    /** Gives a window's body to the bridge; a second time does nothing. */
    fill(key: string, into: Element): void {
      if (filled.has(key)) return
      filled.add(key)
      void fill(parts, key, into)
    },
    raise: (key: string) => raise(parts, key),
    minimise: (key: string) => minimise(parts, key),
    /** Makes a window as large as can be, or puts it back where it was. */
    toggleMaximised: (key: string) => toggleMaximised(parts, key),
    setRect: (key: string, rect: Rect) => setRect(parts, key, rect),
    /** A move or a resize is over: the host is notified of a new size. */
    placed: (key: string) => void placed(parts, key),
    close: (key: string) => void close(parts, key),
    /** Closes a window whose bundle wishes to stay. */
    closeAnyway: (key: string) => void close(parts, key, { force: true }),
    /** Ends the window of an app that does not respond, and offers to open it again. */
    end: (key: string) => void end(parts, key),
    /** Loads the app of a window anew. */
    reload: (key: string) => reload(parts, key),
    setArea: (area: Size) => setArea(parts, area),
    /** The screen has room for one window at a time, or for many. */
    setSmall: (small: boolean) => store.set((state) => (state.small === small ? state : { ...state, small })),
    /** Shows apps or windows on a small screen, or the window in front again. */
    showSheet: (sheet: Sheet | null) => store.set((state) => ({ ...state, sheet })),
    setTheme(theme: 'light' | 'dark'): void {
      store.set((state) => (state.theme === theme ? state : { ...state, theme }))
      contextAll(parts)
    },
    /** Opens a window anew where it was, with the version of its app that is installed now. */
    renew: (key: string) => void renew(parts, key),
    /** Opens windows again that the host has forgotten. */
    reopenLost(): void {
      reopenLost(parts).catch((error: unknown) => parts.tell(newsOf(error, 'page')))
    },
    /** Takes the card of a notice away, or every card. */
    dismiss: (id?: string) => quiet(store, (one) => id === undefined || one.id === id),
    clearNotices: () => store.set((state) => ({ ...state, notices: [] })),
    setPanel: (panel: string | null) =>
      store.set((state) => ({
        ...state,
        panel,
        // Who opened the list has seen the notices over the desktop.
        notices: panel === 'notices' ? quieten(state.notices, () => true) : state.notices,
        unread: {
          notices: panel === 'notices' ? 0 : state.unread.notices,
          chat: panel === 'chat' ? 0 : state.unread.chat,
        },
      })),
    /** Opens a dialog over the whole page, or closes it. */
    showDialog: (dialog: DeskState['dialog']) => store.set((state) => ({ ...state, dialog })),
    /** Changes what is open and typed in Manage. */
    change: (how: (manage: ManageState) => Partial<ManageState>) =>
      store.set((state) => ({ ...state, manage: { ...state.manage, ...how(state.manage) } })),
    dispose(): void {
      stop()
      parts.queries.clear()
      bridge.dispose()
    },
  }
}
