import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import type { SmallApp } from './testing/app-folder.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const host_api = { agent: { session: { auto: true } } } as unknown as NonNullable<SmallApp['host_api']>

verifies(
  ['wall.body.run', 'run.attachments.size', 'call.bridge'],
  'thirty megabytes of pictures go with a run from a bundle to its model, and one too many is told by its place',
  async () => {
    at = await openRealPage(browser, {
      app: {
        host_api,
        script: `import { svc } from '@svc/sdk';
          const HEAD = 'iVBORw0KGgoAAAAAAAAAAAAAAAEAAAAB';
          const picture = (mib) => ({ type: 'image/png', data: HEAD + 'AAAA'.repeat(mib * 1_048_576 / 4) });
          const text = (frame) => frame.event === 'sse' ? frame.data.choices[0].delta.content ?? '' : '';
          globalThis.go = async () => {
            const session = await svc.agent.session({ submode: 'auto' });
            const [run] = await Promise.all([
              session.run('Look.', { attachments: [10, 10, 20].map(picture) }),
              svc.window.heartbeat(),
            ]);
            let said = '';
            for await (const frame of run.frames()) said += frame.event === 'error' ? frame.message : text(frame);
            const tooLarge = session.run('Look.', { attachments: [picture(1), picture(30)] });
            show([said, await tooLarge.catch(({ code, message }) => [code, message])]);
          }; svc.ready`,
      },
    })
    await at.mount('app')
    await at.frame().evaluate('void go()')
    expect(await at.shown(55_000)).toEqual([
      '[svc-dev, the development model] You said: Look. (with 3 files)',
      ['invalid_arg', 'attachments.1.data must hold at most 20971520 bytes, got 23592984'],
    ])
  },
)
