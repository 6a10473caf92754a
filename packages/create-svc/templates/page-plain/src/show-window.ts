import type { Bridge } from '@svc/bridge'
import type { App } from './list-apps.ts'

/** Shows an app in a window at the end of `main`, with its title above. */
export async function showWindow(bridge: Bridge, main: Element, app: App) {
  const section = document.createElement('section')
  const heading = document.createElement('h2')
  const into = document.createElement('div')
  section.className = 'window'
  heading.textContent = app.name
  section.append(heading, into)
  main.append(section)

  const win = await bridge.mountWindow({ into, appId: app.app_id })
  win.on('title_changed', ({ title }) => {
    heading.textContent = title
  })
  win.on('closed', () => section.remove())
  return win
}
