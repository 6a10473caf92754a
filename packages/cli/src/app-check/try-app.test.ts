import { expect, it } from 'vitest'
import { broken, passed, type Verdict } from '../checks/check.ts'
import type { Bench } from './bench.ts'
import type { Stage } from './stage.ts'
import { type Seen, tryApp } from './try-app.ts'
import type { Visit } from './visit.ts'

/** A window whose document threw what nothing caught; no picture can be taken of it. */
const stageWith = (uncaught: readonly string[], isClosed = false) =>
  ({
    complaints: { uncaught, console: [], policy: [] },
    page: { screenshot: () => Promise.reject(new Error('it cannot be drawn')) },
    isClosed: () => isClosed,
    close: async () => undefined,
  }) as unknown as Stage

/** Tries an app whose windows are these, one after the other. */
async function tryWith(
  stages: readonly Stage[],
  look: (stage: Stage, visit: Visit) => Promise<Seen>,
  whyEnded: () => string | null = () => null,
  checkMs?: number,
): Promise<Verdict> {
  const left = [...stages]
  const bench = {
    async open() {
      const stage = left.shift()
      if (!stage) throw new Error('it did not connect')
      return stage
    },
    whyEnded,
    picturePath: async () => 'picture.png',
  } as unknown as Bench
  return tryApp(bench, 'app.start', {}, look, checkMs)
}

const destroyed = () => Promise.reject(new Error('Execution context was destroyed\nCall log: …'))

it.each<[string, Stage[], Parameters<typeof tryWith>[1], Verdict]>([
  ['holds', [stageWith([])], async () => ({ problems: [], note: 'twice' }), passed('twice')],
  ['cannot be opened', [], async () => ({ problems: [] }), broken('it did not connect')],
  [
    'cannot be looked at to the end',
    [stageWith(['no such key'])],
    destroyed,
    broken('Execution context was destroyed', 'nothing caught: no such key'),
  ],
  ['has closed its window', [stageWith([], true)], destroyed, broken('it closed its window by itself')],
  [
    'throws in a second window alone',
    [stageWith([]), stageWith(['no such key'])],
    async (_, visit) => {
      await visit.open()
      return { problems: [] }
    },
    broken('nothing caught: no such key'),
  ],
])('says of an app what is wrong: it %s', async (_, stages, look, verdict) => {
  expect(await tryWith(stages, look)).toEqual(verdict)
})

it('says of a browser that has ended nothing but that', async () => {
  const verdict = await tryWith([stageWith([])], destroyed, () => 'the browser has ended')
  expect(verdict).toMatchObject(broken('the browser has ended'))
})

it('ends a look that is not done in time, which opens nothing more', async () => {
  const { promise: stuck, resolve } = Promise.withResolvers<Seen>()
  let kept: Visit | undefined
  const look = (_: Stage, visit: Visit): Promise<Seen> => {
    kept = visit
    return stuck
  }
  const verdict = await tryWith([stageWith([]), stageWith([])], look, undefined, 5)
  expect(verdict).toEqual(broken('it was not done after 5 ms'))
  await expect(kept?.open()).rejects.toThrow('the check is over')
  resolve({ problems: [] })
})

it('opens nothing for a check that is over', async () => {
  let kept: Visit | undefined
  await tryWith([stageWith([]), stageWith([])], async (_, visit) => {
    kept = visit
    return { problems: [] }
  })
  await expect(kept?.open()).rejects.toThrow('the check is over')
})
