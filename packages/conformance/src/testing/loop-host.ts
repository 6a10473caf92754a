/**
 * A host in a process of its own, with the odd plugin and an app of ada's. It prints `ready <JSON>`, and for a word that
 * comes in the word and its figures.
 */

import { atPort } from './host.ts'
import { openToolHost } from './tool-host.ts'
import { openTurnMeter, readFigures } from './turn-meter.ts'

/** What a test needs to speak to the host. */
export interface LoopHostReady {
  readonly url: string
  readonly appId: string
  readonly windowUuid: string
  readonly token: string
  readonly cookie: string
}

const HOUR_MS = 3_600_000

const testHost = await openToolHost({
  storage: 'persistent',
  manifest: {
    required_plugs: ['odd'],
    host_api: { storage: ['*'], upload: ['*'], files: ['*'], agent: { session: { auto: true } } },
  },
  limits: { WINDOW_TOKEN_TTL_MS: HOUR_MS, POOL_IDLE_MS: HOUR_MS },
})
const { windowUuid, token, cookie: first } = testHost.window
const { url, port } = await testHost.host.listen(0)
const cookie = atPort(first, { port })
console.log(
  'ready',
  JSON.stringify({ url, appId: testHost.appId, windowUuid, token, cookie } satisfies LoopHostReady),
)
const meter = openTurnMeter()
process.stdin.on('data', (word) => console.log(String(word), JSON.stringify(readFigures(meter))))
