import { describe, expect, it } from 'vitest'
import { attempt, both, every, type MaybePromise, when } from './when.ts'

const fault = new Error('no')
const fail = (): never => {
  throw fault
}
const works = {
  'a value': () => 'v' as MaybePromise<string>,
  'a promise': () => Promise.resolve('v') as MaybePromise<string>,
  'a throw': (): MaybePromise<string> => fail(),
  'a rejection': () => Promise.reject<string>(fault) as MaybePromise<string>,
}

/** What came of it, and whether it was there at once. */
async function outcome(run: () => unknown): Promise<[at: 'once' | 'later', came: unknown]> {
  try {
    const value = run()
    if (!(value instanceof Promise)) return ['once', value]
    return ['later', await value.catch((error) => error)]
  } catch (error) {
    return ['once', error]
  }
}

describe('attempt', () => {
  it.each([
    ['a value', 'once', 'v'],
    ['a promise', 'later', 'v'],
    ['a throw', 'once', 'no!'],
    ['a rejection', 'later', 'no!'],
  ] as const)('goes on with %s at %s', async (work, at, came) => {
    const run = () => attempt(works[work], (error) => `${(error as Error).message}!`)
    expect(await outcome(run)).toEqual([at, came])
  })
})

describe('both', () => {
  it.each([
    ['a value', 'a value', 'once', 'vv'],
    ['a promise', 'a value', 'later', 'vv'],
    ['a value', 'a promise', 'later', 'vv'],
    ['a rejection', 'a rejection', 'later', fault],
  ] as const)('goes on with %s and %s', async (a, b, at, came) => {
    expect(await outcome(() => both(works[a](), works[b](), (x, y) => x + y))).toEqual([at, came])
  })
})

describe('every', () => {
  it.each([
    ['a value', 'a value', 'once', ['v', 'v']],
    ['a value', 'a promise', 'later', ['v', 'v']],
    ['a promise', 'a rejection', 'later', fault],
  ] as const)('goes on with %s and %s', async (a, b, at, came) => {
    expect(await outcome(() => every([works[a](), works[b]()]))).toEqual([at, came])
  })
})

describe('when', () => {
  it.each([
    ['a value', 'once', 'v!'],
    ['a promise', 'later', 'v!'],
    ['a rejection', 'later', fault],
  ] as const)('goes on with %s', async (work, at, came) => {
    expect(await outcome(() => when(works[work](), (value) => `${value}!`))).toEqual([at, came])
  })
})
