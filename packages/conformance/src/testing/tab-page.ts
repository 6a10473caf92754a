import type { Tab } from '../other-browsers/tab.ts'
import { TEST_START_TOKEN } from '../start-token.ts'

/** Signs in, and makes `globalThis.bridge` on a page that has loaded. */
export const startBridge = `
  const signIn = await fetch('/api/v1/auth/dev-login', { method: 'POST', body: JSON.stringify({ user: 'ada' }),
    headers: { 'content-type': 'application/json', authorization: 'Bearer ${TEST_START_TOKEN}' } })
  if (!signIn.ok) throw new Error(await signIn.text())
  while (!globalThis.bridgeApi) await new Promise((done) => setTimeout(done, 20))
  globalThis.noted = []
  globalThis.bridge = bridgeApi.createBridge({ onError: (error) => console.error(String(error)) })`

/** Opens a window of the app of a name, as `globalThis.win`. */
export const mount = (name: string) => `
  const { installs } = await (await fetch('/api/v1/svc-apps/installs')).json()
  const appId = installs.find((one) => one.name === ${JSON.stringify(name)}).app_id
  globalThis.win = undefined
  const mounted = bridge.mountWindow({ into: document.body, appId, keep: true }).then((win) => { globalThis.win = win }, () => {})
  // In WebKit a document that never says hello is not seen to load.
  while (!document.querySelector('iframe')) await new Promise((done) => setTimeout(done, 20))
  await Promise.race([mounted, new Promise((done) => setTimeout(done, 3_000))])`

/** Puts a field into the page, into which its user pastes. */
export const field = `
  globalThis.field?.remove()
  globalThis.field = document.body.appendChild(document.createElement('textarea'))
  field.className = 'pasted'
  field.focus()`

/** Reads what the document of an app has written on its root element, once it has. */
export const read = (name: string) => `
  while (!document.documentElement?.dataset.${name}) await new Promise((done) => setTimeout(done, 20))
  return document.documentElement.dataset.${name}`

/** What the app in the newest window shows by `show(value)`, once it does. */
export const shown = async (tab: Tab): Promise<unknown> =>
  JSON.parse(String(await tab.run(read('shown'), 'frame')))
