import type { Bridge, SvcWindow } from '@svc/bridge'
import type { PlugAnswer } from '@svc/contract'
import type { Rect, Size } from '../geometry/rect.ts'
import { createManager, type Manager } from '../manage/manager.ts'
import type { Api } from '../state/api.ts'
import { type ApprovalAnswer, answerApproval } from '../state/approvals.ts'
import type { Memory } from '../state/memory.ts'
import type { DeskParts } from '../state/parts.ts'
import { answerAsk, type PlugAsk } from '../state/plug-ask.ts'
import { type DeskState, initialState, type Sheet } from '../state/state.ts'
import { createStore, type Store } from '../state/store.ts'
import { newsOf, tellNotice } from '../state/tell.ts'
import { close } from '../windows/close.ts'
import { contextAll } from '../windows/context.ts'
import { end } from '../windows/end.ts'
import { pulled, setArea, setRect } from '../windows/move.ts'
import { add, fill } from '../windows/open.ts'
import { keepPlaces, minimise, raise, toggleMaximised } from '../windows/raise.ts'
import { dropLost, reopenLost } from '../windows/reopen.ts'
import { begin, changeName, keepName, signIn } from '../windows/sign-in.ts'
import { cancelJob } from './cancel-job.ts'
import { endSession } from './end-session.ts'
import { followBridge } from './follow-bridge.ts'
import { followJobs } from './follow-jobs.ts'
import { followSessions } from './follow-sessions.ts'

/** The page without its looks: what it shows, and everything that can be done on it. */
export interface Desk {
  readonly store: Store<DeskState>
  /** Who is signed in; where the page does not know, the name that signs in by itself; or `null`. */
  readonly user: string | null
  begin(): Promise<void>
  /** Asks for another name, or leaves it as it is. */
  changeName(): void
  keepName(): void
  signIn(user: string, remember: boolean): Promise<void>
  /** Opens a window of an app; returns its key. */
  open(appId: string, view?: string): string
  /** Gives a window's body to the bridge; a second time does nothing. */
  fill(key: string, into: Element): void
  raise(key: string): void
  /** Has `look` see into which window the user went, before another is put in front of it. Returns how to stop. */
  watchedBy(look: () => void): () => void
  minimise(key: string): void
  /** Makes a window as large as can be, or puts it back where it was. */
  toggleMaximised(key: string): void
  setRect(key: string, rect: Rect): void
  /** A move is over. */
  moved(): void
  /** A resize is over: the host is told. */
  pulled(key: string): void
  close(key: string): void
  /** Closes a window whose bundle wishes to stay. */
  closeAnyway(key: string): void
  /** Ends the window of an app that does not respond, and offers to open it again. */
  end(key: string): void
  reload(key: string): void
  setArea(area: Size): void
  /** The screen has room for one window at a time, or for many. */
  setSmall(small: boolean): void
  /** Shows apps or windows on a small screen, or the window in front again. */
  showSheet(sheet: Sheet | null): void
  setTheme(theme: 'light' | 'dark'): void
  /** Opens windows that the host has forgotten anew, or lets them go. */
  reopenLost(): void
  dropLost(): void
  dismiss(noticeId: string): void
  clearNotices(): void
  setPanel(panel: string | null): void
  /** Reads the jobs again, and the sessions where their panel is open: somebody looks who did not before. */
  readLists(): void
  /** Cancels a job; settles when the host has answered, whatever it answered. */
  cancelJob(jobId: string, reason: string): Promise<void>
  /** Answers a call of a tool that waits for the user's yes. */
  answerApproval(id: string, answer: ApprovalAnswer): Promise<void>
  /** Shows the sessions that have ended, or hides them. */
  showEndedSessions(shown: boolean): void
  /** Ends a session; settles when the host has answered, whatever it answered. */
  endSession(uuid: string): Promise<void>
  /** Answers whether a plugin of another may run, or puts that off; settles when the host has answered. */
  answerAsk(ask: PlugAsk, answer: PlugAnswer | 'later'): Promise<void>
  /** Opens a dialog over the whole page, or closes it. */
  showDialog(dialog: DeskState['dialog']): void
  say(sentence: string): void
  /** the page where plugins, runners and apps are managed. */
  readonly manage: Manager
  dispose(): void
}

/** What a desk is made of. */
export interface DeskOptions {
  readonly bridge: Bridge
  readonly api: Api
  readonly memory: Memory
  readonly now: () => number
  readonly later: (work: () => void, ms: number) => void
  readonly locale: string
}

/** Makes the desk. */
export function createDesk({ bridge, api, memory, now, later, locale }: DeskOptions): Desk {
  const store = createStore<DeskState>(initialState)
  const filled = new Set<string>()
  let keys = 0
  const newKey = () => `k${++keys}`
  const parts: DeskParts = {
    store,
    bridge,
    api,
    memory,
    now,
    raised: { hostZ: 0 },
    later,
    newKey,
    locale,
    handles: new Map<string, SvcWindow>(),
    looks: new Set(),
    session: { user: null, again: null },
    tell: (news) => tellNotice(store, news, newKey(), now()),
    // A text that stays the same is not read again: the same sentence comes back with a space that nobody hears.
    say: (said) => store.set((state) => ({ ...state, said: said === state.said ? `${said}\u00a0` : said })),
  }
  const stop = followBridge(parts)
  const jobs = followJobs(parts)
  const sessions = followSessions(parts)
  const manage = createManager(parts)

  return {
    store,
    get user() {
      return parts.session.user ?? memory.user
    },
    begin: () => begin(parts),
    changeName: () => changeName(parts),
    keepName: () => keepName(parts),
    signIn: (user, remember) => signIn(parts, user, remember),
    open(appId, view) {
      const key = add(parts, { appId, ...(view !== undefined && { view }) })
      store.set((state) => ({ ...state, chosen: key, sheet: null }))
      return key
    },
    fill(key, into) {
      if (filled.has(key)) return
      filled.add(key)
      void fill(parts, key, into)
    },
    raise: (key) => raise(parts, key),
    watchedBy(look) {
      parts.looks.add(look)
      return () => void parts.looks.delete(look)
    },
    minimise: (key) => minimise(parts, key),
    toggleMaximised: (key) => toggleMaximised(parts, key),
    setRect: (key, rect) => setRect(parts, key, rect),
    moved: () => keepPlaces(parts),
    pulled: (key) => void pulled(parts, key),
    close: (key) => void close(parts, key),
    closeAnyway: (key) => void close(parts, key, { force: true }),
    end: (key) => void end(parts, key),
    reload: (key) => parts.handles.get(key)?.reload(),
    setArea: (area) => setArea(parts, area),
    setSmall: (small) => store.set((state) => (state.small === small ? state : { ...state, small })),
    showSheet: (sheet) => store.set((state) => ({ ...state, sheet })),
    setTheme(theme) {
      store.set((state) => (state.theme === theme ? state : { ...state, theme }))
      contextAll(parts)
    },
    reopenLost() {
      reopenLost(parts).catch((error: unknown) => parts.tell(newsOf(error, 'page')))
    },
    dropLost: () => dropLost(parts),
    dismiss: (id) =>
      store.set((state) => ({
        ...state,
        notices: state.notices.map((one) => (one.id === id ? { ...one, loud: false } : one)),
      })),
    clearNotices: () => store.set((state) => ({ ...state, notices: [] })),
    setPanel: (panel) =>
      store.set((state) => ({
        ...state,
        panel,
        // Who opened the list has seen what stands over the desktop.
        notices: panel === 'notices' ? state.notices.map((one) => ({ ...one, loud: false })) : state.notices,
        unread: {
          notices: panel === 'notices' ? 0 : state.unread.notices,
          chat: panel === 'chat' ? 0 : state.unread.chat,
        },
      })),
    readLists() {
      jobs.read()
      sessions.read()
    },
    async cancelJob(jobId, reason) {
      await cancelJob(parts, jobId, reason)
      jobs.read()
    },
    answerApproval: (id, answer) => answerApproval(parts, id, answer),
    showEndedSessions: (withEnded) =>
      store.set((state) => ({ ...state, sessions: { ...state.sessions, withEnded } })),
    async endSession(uuid) {
      await endSession(parts, uuid)
      sessions.read()
    },
    answerAsk: (ask, answer) => answerAsk(parts, ask, answer),
    showDialog: (dialog) => store.set((state) => ({ ...state, dialog })),
    say: parts.say,
    manage,
    dispose() {
      stop()
      jobs.stop()
      sessions.stop()
      manage.stop()
      bridge.dispose()
    },
  }
}
