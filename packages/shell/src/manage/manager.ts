import type { Place, Tab } from '../state/manage-state.ts'
import type { DeskParts } from '../state/parts.ts'
import { followManage } from './follow-manage.ts'
import { type InstallKeeper, installKeeper } from './keep-installs.ts'
import { type PlugKeeper, plugKeeper } from './keep-plug.ts'
import { type RunnerKeeper, runnerKeeper } from './keep-runners.ts'
import { type PlugMaker, plugMaker } from './make-plug.ts'
import { change, doing } from './work.ts'

/** the page where plugins, runners and apps are managed, without its looks. */
export interface Manager {
  setOpen(isOpen: boolean): void
  showTab(tab: Tab): void
  goTo(place: Place): void
  /** Reads more of what others published. */
  readMore(): Promise<boolean>
  read(): void
  setVisible(isVisible: boolean): void
  readonly maker: PlugMaker
  readonly keeper: PlugKeeper
  readonly runners: RunnerKeeper
  readonly installs: InstallKeeper
  stop(): void
}

/** The name under which more of what others published is read. */
export const MORE_WORK = 'more'

/** Makes it. */
export function createManager(parts: DeskParts): Manager {
  const { api, now, store } = parts
  const { read, setVisible, stop } = followManage(parts)
  return {
    setOpen: (isOpen) => change(parts, () => ({ isOpen })),
    showTab: (tab) => change(parts, () => ({ tab })),
    goTo: (place) =>
      change(parts, ({ place: before }) => ({
        place,
        cameFrom: before.at === 'own' ? before.toolId : null,
      })),
    readMore: () =>
      doing(parts, MORE_WORK, async () => {
        const { plugs, next } = await api.manage.otherPlugs(store.get().manage.othersNext)
        return {
          change: ({ others }) => ({
            others: { list: [...others.list, ...plugs], readAt: now(), problem: null },
            othersNext: next,
          }),
          said: `${plugs.length} more`,
        }
      }),
    read,
    setVisible,
    maker: plugMaker(parts),
    keeper: plugKeeper(parts, read),
    runners: runnerKeeper(parts, read),
    installs: installKeeper(parts, read),
    stop,
  }
}
