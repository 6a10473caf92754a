import { readFileSync } from 'node:fs'
import type { Browser, ConsoleMessage } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { openRealPage, type RealPage } from './testing/real-page.ts'

const PATIENT = { timeout: 10_000, interval: 20 }
let browser: Browser
let at: RealPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

const host_api = { agent: { session: { auto: true } }, llm: ['*'], storage: ['*'] }

const DEV = /^whole \[svc-dev, the development model\] /

/** The examples of each guide that an app runs, in their order: what each writes, in order, with more in between. */
const guides = {
  sessions: [
    [/^piece \[svc-dev,/, /^whole \[svc-dev, the development model\] You said: A name for a cat\? \d+$/],
    [/You said: And one for a dog\? \d{4}-/],
    [
      /^may use .*time_now/,
      /^time_now may be used$/,
      /^web_fetch manifest$/,
      /^calls time_now {}$/,
      /^answered time_now {/,
      DEV,
    ],
    [/You said: What is this\? \(with 1 file\)$/],
    [/^(true|false) \d+$/],
  ],
  streams: [
    [/^piece \[svc-dev,/, /^whole .*You said: Count to three\. stop \d+$/],
    [/^model svc-dev$/, /^delta {.*assistant/, /^delta .*task_complete/, /^end \d+$/],
    [/^first .*What did I forget\?$/],
  ],
  models: [
    [/^svc-dev .*A name for a cat\? \d+$/],
    [/^piece \[svc-dev,/, /^whole .* false stop \d+$/],
    [/^svc-dev svc-dev$/],
  ],
} satisfies Record<string, readonly (readonly RegExp[])[]>

/** What a second loading of the same window writes, by the guide and the place of its example. */
const again: Readonly<Record<string, readonly RegExp[]>> = {
  'sessions 1': [/^user And one for a dog\?$/, /^assistant \[svc-dev,/, /You said: And one for a dog\?/],
  'streams 2': [/^again .*What did I forget\?$/],
}

/** The examples that stand in a guide and are written for an app. */
const examplesOf = (guide: string): string[] => {
  const text = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)]
    .map(([, code = '']) => code)
    .filter((code) => code.includes(`from '@svc/sdk'`))
}

async function textOf(message: ConsoleMessage): Promise<string> {
  const parts = await Promise.all(message.args().map((arg) => arg.jsonValue()))
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ')
}

/** Whether the lines hold one for each of these, in this order. */
function holds(lines: readonly string[], wanted: readonly RegExp[]): boolean {
  let at = 0
  for (const line of lines) if (wanted[at]?.test(line)) at += 1
  return at === wanted.length
}

describe.each(Object.entries(guides))('the guide %s', (guide, written) => {
  const examples = examplesOf(guide)

  it.each(written.map((wanted, place) => [place, wanted] as const))(
    'has example %i run',
    async (place, wanted) => {
      expect(examples).toHaveLength(written.length)
      const script = `${examples[place]}\nconsole.log('over')`
      at = await openRealPage(browser, { app: { host_api, split: true, script } })
      /** Reading what was written takes a while for objects and none for text: the order is that of the writing. */
      let writes: Promise<string>[] = []
      const troubles: string[] = []
      at.page.on('pageerror', (error) => troubles.push(String(error)))
      at.page.on('console', (message) => writes.push(textOf(message)))
      const wrote = async (expected: readonly RegExp[]) => {
        await expect.poll(() => Promise.all(writes), PATIENT).toContain('over')
        const lines = await Promise.all(writes)
        expect(holds(lines, expected), lines.join('\n')).toBe(true)
      }
      await at.mount('app')
      await wrote(wanted)

      const second = again[`${guide} ${place}`]
      if (second) {
        writes = []
        await at.page.evaluate(() => globalThis.win.reload())
        await wrote(second)
      }
      expect(troubles).toEqual([])
    },
  )
})
