// Alone: a fixed bound on the real clock, of a few seconds at most.

import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { closePages, sharedChromium } from './chromium.ts'
import { behaviours } from './testing/fake-provider.ts'
import { openRunPage, type RunPage, reads } from './testing/run-page.ts'
import { verifies } from './verifies.ts'

/** More than any test lets the model say: each token its own, one each 5 ms. */
const WORDS = Array.from({ length: 4_000 }, (_, n) => `w${n} `)
const EVERY_MS = 5
/** From the call of cancel on; the run looks for it each 30 events, which are 150 ms. */
const STOPS_WITHIN_MS = 1_000

type Tab = Pick<RunPage, 'frame' | 'shown'>

let browser: Browser
let at: RunPage

beforeAll(async () => {
  browser = await sharedChromium()
})
afterAll(() => closePages(browser))
afterEach(() => at.close())

/** An app that begins a run or reads one that began elsewhere, and shows how it ended and what is left of it. */
const talker = `
  import { svc } from '@svc/sdk';
  svc.ready;
  const read = async (chat, run) => {
    const mine = { seq: 0, text: '', over: 0 };
    run.on('frame', (frame) => { mine.seq++; mine.text += textOf(frame) });
    run.on('end', () => mine.over++);
    Object.assign(globalThis, { mine, cancel: () => run.cancel() });
    run.final().then(async ({ text, aborted }) => {
      const frames = [];
      for await (const frame of (await chat.attach(run.runId)).frames()) frames.push(frame);
      const { messages } = await chat.history();
      show({
        texts: [mine.text, text, frames.map(textOf).join(''), messages.at(-1).content],
        aborted: [aborted, messages.at(-1).aborted], over: mine.over, frames: [mine.seq, frames.length],
        cancels: frames.filter(({ data }) => data?.choices[0]?.delta.task_cancelled).length,
        ends: frames.filter(({ event }) => event === 'end').length,
        last: frames.slice(-2).map(({ event, data }) => event + ' ' + Object.keys(data?.choices[0]?.delta ?? {})),
        again: await run.cancel(),
      });
    }).catch((error) => show({ error: String(error), code: error.code }));
    return { appSessionUuid: chat.appSessionUuid, runId: run.runId };
  };
  globalThis.begin = async () => {
    const chat = await svc.agent.session({ submode: 'auto' });
    return await read(chat, await chat.run('recite'));
  };
  globalThis.resume = async ({ appSessionUuid, runId }) => {
    const chat = await svc.agent.session({ appSessionUuid });
    return await read(chat, await chat.attach(runId));
  }`

/** Begins a run in a page and reads it in another, which may be the same. */
async function share(take: () => Promise<Tab>) {
  at = await openRunPage(await browser.newContext(), talker)
  at.provider.behave(behaviours.recites(WORDS, EVERY_MS))
  await at.mount('app')
  const ids = await at.frame().evaluate('begin()')
  await reads(at, 50)
  const other = await take()
  await other.frame().evaluate(`resume(${JSON.stringify(ids)})`)
  await reads(other, 100)
  return other
}

/** Cancels in a page: the provider's request is cut off in time. */
async function cancelIn({ frame }: Tab): Promise<void> {
  const { ended } = await at.provider.arrived(0)
  const before = Date.now()
  expect(await frame().evaluate('cancel()')).toEqual({ cancelled: true })
  expect(await ended).toBe(true)
  expect(Date.now() - before).toBeLessThan(STOPS_WITHIN_MS)
}

/** What a page shows of a run that was cancelled; returns its text. */
async function cutText({ shown }: Tab): Promise<string> {
  const { texts, frames, ...rest } = (await shown()) as { texts: string[]; frames: number[] }
  expect(rest).toEqual({
    aborted: [true, true],
    over: 1,
    cancels: 1,
    ends: 1,
    again: { cancelled: false },
    last: ['sse task_cancelled', 'end '],
  })
  // What the frames say together, the handle, a reading from the beginning, and the history.
  expect([new Set(texts).size, new Set(frames).size]).toEqual([1, 1])
  const [text = ''] = texts
  expect(text.length).toBeGreaterThan(WORDS.slice(0, 80).join('').length)
  expect(WORDS.join('').startsWith(text)).toBe(true)
  expect(at.provider.requests).toHaveLength(1)
  return text
}

verifies(
  [
    'design.kept.cancel',
    'decision.cancel.checkpoint',
    'decision.cancel.partial',
    'run.cancel.running',
    'stream.cancelled',
  ],
  'a run that a second tab found by the id of its session is cancelled there: both tabs have one text and one end',
  async () => {
    const second = await share(async () => {
      const tab = await at.tab()
      await tab.mount('app')
      return tab
    })
    await cancelIn(second)
    expect(await cutText(at)).toBe(await cutText(second))
  },
)

verifies(
  ['design.kept.reload', 'design.sdk.run.reload', 'design.sdk.run.partial'],
  'a run is cancelled by the document that found it again after a reload of the page',
  async () => {
    await cancelIn(
      await share(async () => {
        await at.reload()
        return at
      }),
    )
    await cutText(at)
  },
)
