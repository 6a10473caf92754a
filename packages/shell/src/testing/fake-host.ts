import type { Bridge, BridgeError, BridgeEvents, WindowEvents } from '@svc/bridge'
import type { Exchange } from '../state/exchange.ts'
import type { Job } from '../state/job.ts'
import type { Session } from '../state/session.ts'
import type { Tabs } from '../state/tabs.ts'
import type { FakeManage } from './manage-api.ts'

/** A bridge and a host's routes in memory, for tests of the page: windows are empty elements. */
export interface FakeHost {
  readonly bridge: Bridge
  readonly exchange: Exchange
  /** Its plugins, runners and installs. */
  readonly manage: FakeManage
  /** What was asked, in order: `mount app-1`, `close w1`. */
  readonly asked: string[]
  /** Who is signed in; `null`: nobody. */
  user: string | null
  /** The host knows its users by a sign-in of its own, which it cannot end. */
  ownSignIn: boolean
  /** Bundles wish to stay when they are asked whether they may close. */
  staying: boolean
  /** What asking for the apps fails with, or `null`. */
  trouble: BridgeError | null
  /** Set: opening a window waits for it, after the host has opened it. */
  hold: Promise<void> | null
  /** What putting up an open window waits for, by its uuid. */
  holdAttach(uuid: string): Promise<void> | null
  /** Set: raising a window waits for it, after the host was asked. */
  holdFocus: Promise<void> | null
  /** What the host waits for before it gives a window that size, as it is asked to. */
  holdResize(size: { w: number; h: number }): Promise<void> | null
  /** Of the windows that are open at the host the oldest lies on top; else the newest. */
  upsideDown: boolean
  /** The windows that are open at the host. */
  readonly open: Set<string>
  /** The jobs that the host has, and its date. */
  jobs: readonly Job[]
  date: number | null
  /** Set: the list of jobs waits for it. */
  holdJobs: Promise<void> | null
  /** Set: the list of apps, as it is when it is asked for, waits for it. */
  holdInstalls: Promise<void> | null
  /** Which jobs were asked for, in order. */
  readonly reads: ('active' | 'ended')[]
  /** The sessions that the host has; set: their list waits for it; which were asked for, in order. */
  sessions: readonly Session[]
  holdSessions: Promise<void> | null
  readonly sessionReads: ('active' | 'all')[]
  /** Emits on the bridge, or on the handle of a window. */
  emit(type: keyof BridgeEvents, payload?: unknown): void
  emitOn(uuid: string, type: keyof WindowEvents, payload?: unknown): void
  /** The other tabs of the page. */
  readonly tabs: Tabs
  /** How often the page told them that something changed. */
  tabNews: number
  /** Another tab changed something. */
  onTab(): void
}
