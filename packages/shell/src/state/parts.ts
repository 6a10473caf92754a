import type { Bridge, SvcWindow } from '@svc/bridge'
import type { QueryClient } from '@tanstack/react-query'
import type { Size } from '../geometry/rect.ts'
import type { Ask, Exchange } from './exchange.ts'
import type { Memory } from './memory.ts'
import type { News } from './notices.ts'
import type { DeskState, DeskWindow } from './state.ts'
import type { Store } from './store.ts'
import type { Tabs } from './tabs.ts'

/** What the parts of the desk share. */
export interface DeskParts {
  readonly store: Store<DeskState>
  readonly bridge: Bridge
  readonly exchange: Exchange
  readonly ask: Ask
  /** What the host told of its lists, and what it was asked to do. */
  readonly queries: QueryClient
  readonly memory: Memory
  readonly tabs: Tabs
  /** Unix ms. */
  readonly now: () => number
  /** Does something after so many ms. */
  readonly later: (work: () => void, ms: number) => void
  /** A name that was not given before on this page. */
  readonly newKey: () => string
  /** The language that bundles get, such as `en-GB`. */
  readonly locale: string
  /** The bridge's handle of each window that is on the page, by key. */
  readonly handles: Map<string, SvcWindow>
  /** See into which window the user went: the page is not told, and notices late by itself. */
  readonly focusChecks: Set<() => void>
  /** Do what a key of the page does that was pressed in the app of a window. */
  readonly keyPresses: Set<(windowKey: string, name: string) => void>
  /**
   * `user`: who is signed in, as the host or the form told it; `null`: nobody, as far as the page knows.
   * `again`: the signing in by the remembered name that is under way.
   */
  readonly session: { user: string | null; again: Promise<void> | null }
  /**
   * `hostZ`: the highest number that the host gave to a window that was raised: who has it came last.
   * `untold`: the keys of windows that the page raised and the host is to be notified of, in their order; `isTelling`:
   * it is being notified of one.
   * `opening`: the keys of windows that were raised while the host was opening them, so that it is not notified yet.
   * `at`: when a bundle last brought a window to the front, by the key of the window, in Unix ms.
   */
  readonly raised: {
    hostZ: number
    readonly untold: Set<string>
    isTelling: boolean
    readonly opening: Set<string>
    readonly at: Map<string, number>
  }
  /**
   * `chosen`: the keys of windows to which the user gave a size of which the host is still to be notified.
   * `told`: the sizes of which the host was notified and that it has not told back yet, by the key of the window.
   * `telling`: settles when the host was notified of the size of a window, by its key.
   */
  readonly sizes: {
    readonly chosen: Set<string>
    readonly told: Map<string, readonly Size[]>
    readonly telling: Map<string, Promise<void>>
  }
  /** Adds a notice. */
  readonly tell: (news: News) => void
  /** Tells a screen reader. */
  readonly say: (sentence: string) => void
}

/** A window by its key. */
export const windowOf = ({ store }: Pick<DeskParts, 'store'>, key: string): DeskWindow | undefined =>
  store.get().windows.find((one) => one.key === key)

/** The key of the window with that uuid, which is on the desktop or is about to be. */
export const keyOf = ({ store }: Pick<DeskParts, 'store'>, uuid: string): string | undefined =>
  store.get().windows.find((one) => one.uuid === uuid)?.key

/** Changes one window; a window that is gone stays gone. */
export function changeWindow(
  { store }: Pick<DeskParts, 'store'>,
  key: string,
  change: (window: DeskWindow) => DeskWindow,
): void {
  store.set((state) => {
    const windows = state.windows.map((one) => (one.key === key ? change(one) : one))
    return windows.some((one, at) => one !== state.windows[at]) ? { ...state, windows } : state
  })
}
