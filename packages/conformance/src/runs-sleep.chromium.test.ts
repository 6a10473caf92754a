import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { freeze, launchFreezable } from './testing/freezable.ts'
import { atPort } from './testing/host.ts'
import { openReciter, type Reciter } from './testing/reciter.ts'
import { PATIENT } from './testing/run-page.ts'
import { verifies } from './verifies.ts'

let browser: Awaited<ReturnType<typeof launchFreezable>>
let at: Reciter

beforeAll(async () => {
  browser = await launchFreezable()
})
afterAll(() => browser.close())
afterEach(() => at.close())

/** Notes the last token that the page is given, from its next renewal on; returns what the host says to it. */
async function watchToken(): Promise<() => Promise<string>> {
  const windowUuid = await at.page.evaluate(() => globalThis.win.windowUuid)
  const body = JSON.stringify({
    id: '1',
    window_uuid: windowUuid,
    ns: 'window',
    method: 'heartbeat',
    args: {},
  })
  let token = ''
  at.page.on('response', async (response) => {
    if (!response.url().endsWith(`/${windowUuid}/token`)) return
    // A renewal may be under way when the test ends.
    const grant = await response.json().catch(() => ({ token }))
    token = grant.token
  })
  await expect.poll(() => token, PATIENT).not.toBe('')
  // The pages of the tests before were at other ports.
  const { port } = new URL(at.page.url())
  const own = (await at.context.cookies()).filter(({ name }) => name.endsWith(`_${port}`))
  const cookies = own.map(({ name, value }) => atPort(`${name}=${value}`, new URL(at.hostUrl))).join('; ')
  return async () => {
    const response = await fetch(`${at.hostUrl}/api/v1/svc-apps/runtime/rpc`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-svc-app-token': token,
        cookie: cookies,
        origin: at.hostUrl,
      },
    })
    const { error } = (await response.json()) as { error?: { code: string } }
    return error?.code ?? 'ok'
  }
}

const isOver = () => at.isOver()
const isTalking = () => at.isTalking()
verifies.each(['design.kept.sleep', 'wall.token.renewed'])<
  readonly [string, () => unknown, () => Promise<unknown>]
>([
  ['thaws while it goes on', () => {}, isTalking],
  ['thaws on another network', () => at.relay.cut(), isTalking],
  ['thaws when it is over', () => {}, isOver],
  ['thaws on another network when it is over', () => at.relay.cut(), isOver],
])(
  'a run loses nothing over a page that freezes past the life of its token and %s',
  async (_, move, isTime) => {
    at = await openReciter(browser.context, { WINDOW_TOKEN_TTL_MS: 2_000, TOKEN_SKEW_MS: 0 })
    const judged = await watchToken()
    expect(await judged()).toBe('ok')
    await at.midway(60, 400)
    const thaw = await freeze(at.page)
    const seq = () => at.frame().evaluate('mine.seq')
    const before = await seq()
    move()
    await expect.poll(judged, PATIENT).toBe('invalid_token')
    await isTime()
    expect(await seq()).toBe(before)
    at.relay.mend()
    await thaw()
    await at.isWhole(['read'])
  },
)
