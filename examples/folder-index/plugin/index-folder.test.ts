import type { Context } from '@svc/plugin'
import { expect, it } from 'vitest'
import { figuresOf } from '../check-figures.ts'
import { indexFolder } from './index-folder.ts'

/** Time that goes by from one look at the clock to the next. */
const STEP_MS = 5
const FOLDER = 'world/europe'

it('compares the first texts that fit into the time, and says how many', async () => {
  let ms = 0
  const now = () => {
    ms += STEP_MS
    return ms
  }
  // The parts of a call that this work looks at.
  const ctx = { signal: new AbortController().signal, emitProgress() {} } as Partial<Context> as Context
  const report = await indexFolder(FOLDER, 1, ctx, now)
  const { compared, files } = report.facts
  expect(compared).toBeGreaterThan(0)
  expect(compared).toBeLessThan(files)
  expect(report).toEqual(figuresOf(FOLDER, compared))
})
