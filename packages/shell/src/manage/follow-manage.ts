import { BridgeError } from '@svc/bridge'
import { everySecond } from '../state/every-second.ts'
import { gatherNews } from '../state/gather-news.ts'
import type { ListState, ManageState, Tab } from '../state/manage-state.ts'
import { createPace } from '../state/pace.ts'
import type { DeskParts } from '../state/parts.ts'
import { runnerNews } from '../state/runner.ts'
import { signInAgain } from '../windows/sign-in.ts'
import { standingNews } from './standing.ts'
import { change, type WorkResult } from './work.ts'

/** How often what a tab shows is read again while somebody looks at it, in ms. */
export const READ_TAB_MS: Readonly<Record<Tab, number>> = { plugins: 3_000, runners: 3_000, apps: 10_000 }

/** Whether times that go on stand in what is shown. */
const showsTimes = ({ tab, place }: ManageState) =>
  tab === 'runners' || (tab === 'plugins' && place.at === 'new')

/** Keeps true what Manage shows. */
export interface ManageFollower {
  /** Reads what is shown now, or as soon as the reading under way is over. */
  read(): void
  /** Says whether the page is seen; nothing is read for nobody. */
  setVisible(isVisible: boolean): void
  stop(): void
}

/**
 * Reads what the open tab shows: when it is opened, when tools changed, when the host came back, and time and again
 * while somebody looks.
 */
export function followManage(parts: DeskParts): ManageFollower {
  const { bridge, later, now, say, session, store } = parts
  const api = parts.api.manage
  const runnersNews = gatherNews(later, say, 'runners')
  const plugsNews = gatherNews(later, say, 'plugins')
  let isVisible = true
  let looked = ''
  /** Somebody came to what is shown just now: also what seldom changes is read. */
  let isFresh = true

  const told = <Item>(list: readonly Item[]): ListState<Item> => ({ list, readAt: now(), problem: null })

  /** What is read for each tab. */
  const readings: Readonly<Record<Tab, (manage: ManageState) => Promise<WorkResult['change']>>> = {
    async plugins({ place, own: before, plugs: known }) {
      if (place.at === 'new') return () => ({})
      if (place.at === 'own') {
        const { toolId } = place
        const [plug, versions] = await Promise.all([api.plug(toolId), api.versions(toolId)])
        const old = known[toolId]
        if (old) plugsNews.add(standingNews([old], [plug]))
        return (manage) => ({
          plugs: { ...manage.plugs, [toolId]: plug },
          versions: { ...manage.versions, [toolId]: versions },
        })
      }
      const own = told(await api.ownPlugs())
      plugsNews.add(standingNews(before.list, own.list))
      if (!isFresh) return () => ({ own })
      isFresh = false
      const { plugs, next } = await api.otherPlugs(null)
      return () => ({ own, others: told(plugs), othersNext: next })
    },
    async runners({ runners }) {
      const list = await api.runners()
      if (runners.readAt !== null) runnersNews.add(runnerNews(runners.list, list))
      return () => ({ runners: told(list) })
    },
    async apps() {
      const list = [...(await api.installs())].sort((a, b) => a.name.localeCompare(b.name))
      return () => ({ installs: told(list) })
    },
  }

  const failed = (tab: Tab, problem: string): void =>
    change(parts, (manage) => ({
      ...(tab === 'plugins' && { own: { ...manage.own, problem } }),
      ...(tab === 'runners' && { runners: { ...manage.runners, problem } }),
      ...(tab === 'apps' && { installs: { ...manage.installs, problem } }),
    }))

  const wanted = () => isVisible && store.get().signIn.phase === 'in' && store.get().manage.isOpen

  const tick = everySecond(parts, {
    wanted: () => wanted() && showsTimes(store.get().manage),
    work: () => change(parts, () => ({ shownAt: now() })),
  })
  const pace = createPace(parts, async () => {
    if (!wanted()) return null
    const { manage } = store.get()
    const who = session.user
    try {
      const done = await readings[manage.tab](manage)
      if (session.user === who) change(parts, done)
    } catch (error) {
      if (session.user === who) failed(manage.tab, error instanceof Error ? error.message : String(error))
      if (error instanceof BridgeError && error.code === 'invalid_token') await signInAgain(parts)
    }
    return wanted() ? READ_TAB_MS[store.get().manage.tab] : null
  })
  const read = () => {
    if (wanted()) pace.read()
  }

  /** Looks at what is open. */
  function look(): void {
    const { manage } = store.get()
    const shown = wanted() ? JSON.stringify([manage.tab, manage.place]) : ''
    if (shown === looked) return
    looked = shown
    isFresh = true
    if (shown !== '') change(parts, () => ({ shownAt: now() }))
    tick()
    read()
  }

  const stops = [
    store.subscribe(look),
    bridge.on('tools.changed', () => {
      if (wanted()) pace.soon()
    }),
    bridge.on('host_lost', () => failed(store.get().manage.tab, 'the host is gone')),
    bridge.on('host_back', read),
  ]
  return {
    read,
    setVisible(visible) {
      isVisible = visible
      look()
    },
    stop() {
      pace.stop()
      for (const stop of stops) stop()
    },
  }
}
