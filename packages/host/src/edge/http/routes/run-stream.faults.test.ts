import { listening } from '@svc/conformance/raw-http'
import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { afterAll, beforeAll, expect } from 'vitest'
import { scriptedModel } from '../../../testing/run-model.ts'
import { openRouteHost, ROUTES, type RouteHost } from '../../../testing/session-routes.ts'

const READER_STALLED_MS = 1_500
const PIECES = 1_200
const PIECE = 'x'.repeat(10_000)
let services: RouteHost
let at: Awaited<ReturnType<typeof listening>>

beforeAll(async () => {
  const model = scriptedModel((talk) => {
    for (let n = 0; n < PIECES; n += 1) talk.say(PIECE)
    talk.finish()
  })
  services = await openRouteHost({
    clock: systemClock,
    models: { default: { model: model.model } },
    limits: { READER_STALLED_MS, MODEL_TEXT_MAX_BYTES: 2 * PIECES * PIECE.length },
  })
  at = await listening(services, await services.openWindow())
})
afterAll(() => services.close())

const after = (ms: number) => new Promise((done) => setTimeout(done, ms))

verifies(
  'route.agent.reader',
  'who takes nothing of twelve megabytes is cut off, who takes them slowly is not, and who hangs up leaves the run',
  async () => {
    const { token } = await services.make()
    const ask = (run_id: string) => {
      const body = JSON.stringify({ content: 'hi', run_id })
      const line = `POST ${ROUTES}/agent`
      const none = { cookie: null, origin: null, 'x-svc-app-token': null }
      const own = { authorization: `Bearer ${token}`, 'content-length': String(body.length) }
      const raw = at.open()
      raw.write(at.head({ ...none, ...own }, line) + body)
      return raw
    }
    const first = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
    const [gone, stalled, slow] = [ask(first), ask(first), ask(first)]
    await gone.until(/run_meta/)
    gone.end()
    stalled.rest()
    for (let n = 0; n < 10; n += 1) {
      slow.rest()
      await after(READER_STALLED_MS / 6)
      slow.go()
      await after(20)
    }
    expect(await slow.until(/event: complete\ndata: (.*)\n\n/)).toContain('"aborted":false')
    expect(slow.said.match(/x/g)?.length).toBeGreaterThanOrEqual(PIECES * PIECE.length)
    await after(2 * READER_STALLED_MS)
    stalled.go()
    expect(await stalled.until(/event: complete/)).not.toContain('event: complete')
    expect(stalled.closed).toBe(true)
    slow.end()
  },
)
