/**
 * A host in a process of its own with an app that runs sessions, of ada and of bob. It prints `ready <JSON>` with where
 * it listens, a window of each, and a session of ada's; and for a word that comes in the word and its figures.
 */

import { atPort, openTestHost, type TestWindow } from './host.ts'
import { openTurnMeter, readFigures, type TurnFigures } from './turn-meter.ts'

/** What a test needs to speak to the host. */
export interface RunHostReady {
  readonly url: string
  readonly ada: { readonly windowUuid: string; readonly token: string; readonly cookie: string }
  readonly bob: RunHostReady['ada']
  readonly session: { readonly app_session_uuid: string; readonly app_session_token: string }
}

/** What it says of itself. */
export interface RunHostFigures extends TurnFigures {
  /** The most memory that it has had. */
  readonly memoryMiB: number
}

/** One token serves all bodies of a test, which take minutes on a busy machine. */
const HOUR_MS = 3_600_000

const manifest = { host_api: { agent: { session: { auto: true } } } }
const testHost = await openTestHost({ manifest, limits: { WINDOW_TOKEN_TTL_MS: HOUR_MS } })
const { version } = await testHost.host.apps.release('ada', testHost.appId, '1.0.0')
await testHost.host.apps.install('bob', { app_id: testHost.appId, version })
const ada = await testHost.openWindow()
const bob = await testHost.openWindow(undefined, undefined, await testHost.signIn('bob'))
const made = await testHost.request('/api/v1/copilot/app/sessions', {
  method: 'POST',
  body: '{"submode":"auto"}',
  cookie: ada.cookie,
  headers: { 'x-svc-app-token': ada.token },
})
const { url, port } = await testHost.host.listen(0)
const there = (window: TestWindow) => ({ ...window, cookie: atPort(window.cookie, { port }) })
console.log('ready', JSON.stringify({ url, ada: there(ada), bob: there(bob), session: await made.json() }))
const meter = openTurnMeter()
process.stdin.on('data', (word) => {
  const memoryMiB = Math.round(process.resourceUsage().maxRSS / 1_024)
  const figures: RunHostFigures = { memoryMiB, ...readFigures(meter) }
  console.log(String(word), JSON.stringify(figures))
})
