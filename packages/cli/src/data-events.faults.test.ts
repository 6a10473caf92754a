import { rounds } from '@svc/conformance/rounds'
import { cutEvents } from '@svc/conformance/testing/cut-events'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect } from 'vitest'
import { type HttpUser, openHttpUser } from './testing/http-user.ts'
import { type KeptHost, startKeptHost } from './testing/kept-host.ts'

const START_MS = 120_000
const ROUND_MS = 60_000
const KILLS = rounds(40, 4)

let kept: KeptHost
let ada: HttpUser
beforeEach(async () => {
  kept = await startKeptHost()
  ada = await openHttpUser(kept.url, 'ada')
}, START_MS)
afterEach(() => kept.close())

verifies(
  'events.acknowledged',
  'a title on a folder is told once, though the host is killed as soon as it has acknowledged it',
  async () => {
    const page = cutEvents(kept.port, ada.cookie, `windows=${ada.windowUuid}`)
    await page.begin()
    // The plugin is described anew at each start: of that comes an event, too.
    const titles = () =>
      page.heard
        .map((event) => JSON.parse(event))
        .flatMap(({ type, title }) => (type === 'title_changed' ? [title] : []))
    const wanted: string[] = []
    for (let n = 0; n < KILLS; n += 1) {
      const title = `t${n}`
      wanted.push(title)
      await ada.renew()
      await ada.result('window', 'set_title', { title })
      await kept.kill()
      await kept.start()
      for (const until = performance.now() + ROUND_MS; !titles().includes(title); )
        if (performance.now() > until) break
        else await page.connect(1_000_000, 250)
    }
    expect(titles()).toEqual(wanted)
    expect(page.resets).toBe(0)
  },
  KILLS * ROUND_MS,
)
