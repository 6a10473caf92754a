import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'
import { verifies } from './verifies.ts'

let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

verifies.each(['call.bridge', 'design.body_kept_text', 'design.batch.size', 'tools.invoke.args.verbatim'])([
  [3, 4_194_000],
  [8, 1_048_576],
  [70, 100_000],
  [320, 10],
  [340, 10],
])('%i tool calls at once with %i bytes each come back as they went', async (count, bytes) => {
  at = await openRealPage(browser, {
    big: `import { svc } from '@svc/sdk';
      globalThis.go = async (count, bytes) => {
        // The hello of the client is a call of its own.
        await svc.ready;
        const text = 'x'.repeat(bytes);
        const all = await Promise.all(Array.from({ length: count }, (_, n) =>
          svc.tools.invoke({ tool_id: 'odd.reply', args: { reply: { result: { output: { n } } }, text } })
            .then((r) => r.n, (e) => e.code + ': ' + e.message)));
        show(all) }; svc.ready`,
  })
  await at.mount('big')
  await at.frame().evaluate(`go(${count}, ${bytes})`)
  const served = Math.min(count, 320)
  expect(await at.shown()).toEqual([
    ...Array.from({ length: served }, (_, n) => n),
    ...Array(count - served).fill(expect.stringMatching(/^rate_limited/)),
  ])
})

verifies(
  ['tools.invoke.payload', 'design.body_kept_text'],
  'four results of nearly 4 MiB in one array, and text that no wire may change',
  async () => {
    at = await openRealPage(browser, {
      big: `import { svc } from '@svc/sdk';
        const odd = '\\u2028\\u2029\\r\\n\\u0000 \\ud83d\\ude00 "\\\\ \\ud800 </script>';
        globalThis.go = async () => {
          const sizes = await Promise.all([1, 2, 3, 4].map(() => svc.tools.invoke({ tool_id: 'odd.size', args: { bytes: 4194304 } })));
          const { args } = await svc.tools.invoke({ tool_id: 'odd', method: 'echo', args: { odd, [odd]: [odd] } });
          show([sizes.map(({ s }) => s.length + 8), args.odd === odd, args[odd]?.[0] === odd]) }; svc.ready`,
    })
    await at.mount('big')
    await at.frame().evaluate('go()')
    expect(await at.shown()).toEqual([Array(4).fill(4_194_304), true, true])
  },
)
