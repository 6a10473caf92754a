import { expect, it } from 'vitest'
import { failure } from '../terminal/failure.ts'
import { broken, type Check, passed, type Verdict } from './check.ts'
import { type Clearable, type RunOptions, runChecks } from './run-checks.ts'

const bench: Clearable = { clear: async () => undefined, stop: () => undefined }
const check = (id: string, run: () => Promise<Verdict>): Check<Clearable> => ({ id, name: id, hint: '', run })
const fine = check('fine', async () => passed())
const throws = check('throws', () => Promise.reject(new Error('Target crashed\nCall log: …')))

const verdictsOf = async (checks: readonly Check<Clearable>[], more: Partial<RunOptions<Clearable>> = {}) =>
  (await runChecks({ bench, checks, silent: 'it does not start', ...more })).map(({ verdict }) => verdict)

it('goes on after a check that throws, which does not hold', async () => {
  expect(await verdictsOf([throws, fine])).toEqual([broken('Target crashed'), passed()])
})

it('ends with what is wrong with the command, not with what is checked', async () => {
  const config = failure('config', 'there is no such folder')
  const wrong = check('wrong', () => Promise.reject(config))
  await expect(verdictsOf([wrong, fine])).rejects.toBe(config)
})

it('leaves out the rest where nothing more can be tried, with the reason', async () => {
  let ended: string | null = null
  const ends = check('ends', async () => {
    ended = 'the browser has ended'
    return broken('it crashed')
  })
  expect(await verdictsOf([ends, fine], { whyEnded: () => ended })).toEqual([
    broken('it crashed'),
    { kind: 'left_out', why: 'the browser has ended' },
  ])
})

it('leaves out the rest where the first check found that nothing runs, but for what is tried anyway', async () => {
  const silent = check('silent', async () => ({ kind: 'broken', problems: ['no answer'], isSilent: true }))
  const anyway = check('anyway', async () => passed())
  const verdicts = await verdictsOf([silent, fine, anyway], { isTriedAnyway: (one) => one === anyway })
  expect(verdicts.slice(1)).toEqual([{ kind: 'left_out', why: 'it does not start' }, passed()])
})
