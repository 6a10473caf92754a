import type { Grants } from '@svc/contract'
import { type Install, versionText } from '../state/install.ts'
import type { DeskParts } from '../state/parts.ts'
import { loadDesk } from '../windows/restore.ts'
import { doing } from './work.ts'

/** The names under which the tab of apps has things done. */
export const installWork = {
  install: (appId: string) => `install ${appId}`,
  uninstall: (installId: string) => `uninstall ${installId}`,
  askAgain: (appId: string) => `ask again ${appId}`,
} as const

/** What can be done with the installed apps. */
export interface InstallKeeper {
  /** Installs an app at a version with these grants, in the place of what stands. */
  install(app: Install, version: string, grants: Grants): Promise<boolean>
  uninstall(app: Install): Promise<boolean>
  /** Has the host ask again before each destructive tool that the user allowed the app for good. */
  askAgain(app: Install): Promise<boolean>
}

/** Makes the keeper. `read`: has the list read again. */
export function installKeeper(parts: DeskParts, read: () => void): InstallKeeper {
  const api = parts.api.manage
  /** The launcher offers what is installed, too. */
  async function thenRead(work: Promise<boolean>): Promise<boolean> {
    const done = await work
    if (!done) return false
    read()
    // What it could not read, the list of Manage says.
    await loadDesk(parts).catch(() => undefined)
    return true
  }
  return {
    install: ({ app_id, name }, version, grants) =>
      thenRead(
        doing(parts, installWork.install(app_id), async () => {
          await api.install({ app_id, version, grants })
          return { change: () => ({}), said: `${name} is installed as ${versionText(version)}` }
        }),
      ),
    askAgain: ({ app_id, name }) =>
      thenRead(
        doing(parts, installWork.askAgain(app_id), async () => {
          await api.forgetApprovals(app_id)
          return { change: () => ({}), said: `${name} asks again before it uses such a tool` }
        }),
      ),
    uninstall: ({ install_id, name }) =>
      thenRead(
        doing(parts, installWork.uninstall(install_id), async () => {
          await api.uninstall(install_id)
          return {
            change: ({ installs }) => ({
              installs: { ...installs, list: installs.list.filter((one) => one.install_id !== install_id) },
            }),
            said: `${name} was uninstalled`,
          }
        }),
      ),
  }
}
