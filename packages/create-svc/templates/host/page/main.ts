import { createBridge } from '@svc/bridge'

const into = document.querySelector('main')
const trouble = document.querySelector('#trouble')
if (!into || !trouble) throw new Error('index.html has no main or no #trouble')

try {
  const [app] = (await (await fetch('/my-apps')).json()) as { app_id: string }[]
  if (!app) throw new Error('the host has no app')
  const bridge = createBridge({ baseUrl: '/svc' })
  await bridge.mountWindow({ into, appId: app.app_id })
} catch (error) {
  trouble.textContent = error instanceof Error ? error.message : String(error)
}
