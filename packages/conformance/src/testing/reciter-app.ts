import type { SmallApp } from './app-folder.ts'
import { show } from './bridge-page.ts'
import { behaviours } from './fake-provider.ts'

const host_api = { agent: { session: { auto: true } }, storage: ['*'] }

const textOf = `const textOf = (frame) => frame.event === 'sse' ? frame.data.choices[0]?.delta.content ?? '' : '';\n`

/** An app that has an agent; its script begins with `show` and `textOf(frame)`. */
export const agentApp = (script: string): SmallApp => ({ host_api, script: show + textOf + script })

/** 800 tokens, each its own, one each 3 ms. */
const WORDS = Array.from({ length: 800 }, (_, n) => `w${n} `)
const EVERY_MS = 3

/**
 * An app that keeps its session, its run, and how far it has read; a later document goes on there. At the end it shows
 * what it has put together, what the handle says, what a second reading from the beginning brings, and the history.
 */
export const recital = `
  import { svc } from '@svc/sdk';
  const isEnd = (event) => event === 'end';
  const woke = [];
  document.addEventListener('resume', () =>
    woke.push(svc.storage.get({ key: 'kept' }).then(() => 'read', ({ code, message }) => code + ': ' + message)));
  (async () => {
    const kept = (await svc.storage.get({ key: 'kept' }).catch(() => undefined))?.value;
    const chat = await svc.agent.session(kept ? { appSessionUuid: kept.appSessionUuid } : { submode: 'auto' });
    const run = kept ? await chat.attach(kept.runId, { afterSeq: kept.seq }) : await chat.run('recite');
    const mine = { appSessionUuid: chat.appSessionUuid, runId: run.runId, seq: 0, text: '', ...kept };
    const save = () => svc.storage.set({ key: 'kept', value: { ...mine } });
    if (!kept) await save();
    globalThis.mine = mine;
    const news = [];
    run.on('frame', (frame) => {
      mine.seq++; mine.text += textOf(frame); news.push(frame.event);
      if (mine.seq % 25 === 0) save().catch(() => {});
    });
    let told = 0;
    run.on('end', () => told++);
    const { text, aborted } = await run.final();
    const again = await chat.attach(run.runId);
    const events = [];
    for await (const frame of again.frames()) events.push(frame.event);
    const { messages } = await chat.history();
    show({
      texts: [mine.text, (kept?.text ?? '') + text, (await again.final()).text, messages.at(-1).content],
      ends: [news.filter(isEnd).length, told, events.filter(isEnd).length], aborted,
      numbered: [mine.seq, events.length, again.lastSeq], last: events.at(-1), woke: await Promise.all(woke),
    });
  })().catch((error) => show({ error: String(error), code: error.code }))`

/** What its model does. */
export const recites = behaviours.recites(WORDS, EVERY_MS)
/** The same, not further than so many words. */
export const recitesUpTo = (most: () => number) =>
  behaviours.recites(WORDS, EVERY_MS, (said) => said < most())

const text = WORDS.join('')
/** What the app shows after a run of which nothing was lost, besides the `numbered` frames, and `woke`. */
export const wholeRecital = { texts: [text, text, text, text], ends: [1, 1, 1], aborted: false, last: 'end' }
