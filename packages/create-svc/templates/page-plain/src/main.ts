import { createBridge } from '@svc/bridge'
import { listApps } from './list-apps.ts'
import { showWindow } from './show-window.ts'

const main = document.querySelector('main')
const trouble = document.querySelector('#trouble')
if (!main || !trouble) throw new Error('index.html has no main or no #trouble')

try {
  const [app] = await listApps()
  if (!app) throw new Error('the host has no app')
  const bridge = createBridge({ baseUrl: '/svc' })
  await Promise.all([showWindow(bridge, main, app), showWindow(bridge, main, app)])
} catch (error) {
  trouble.textContent = error instanceof Error ? error.message : String(error)
}
