import { beforeEach, describe, expect, it } from 'vitest'
import { openBed } from '../testing/bed.ts'
import { needsIsolator } from '../testing/some-isolators.ts'
import { type IsolatorName, isolators } from './isolators.ts'

describe.each(Object.keys(isolators) as IsolatorName[])('kept together by %s', (isolator) => {
  beforeEach(({ skip }) => needsIsolator(isolator, skip))
  const guessed = isolators[isolator].endsAll ? { signal_guessed: true } : {}

  it.each([
    ['exit', { code: 3 }, { exit_code: 3, signal: null }],
    [
      'exit',
      { code: 143 },
      { exit_code: 143, signal: isolators[isolator].endsAll ? 'SIGTERM' : null, ...guessed },
    ],
    ['crash', {}, { exit_code: isolators[isolator].endsAll ? 139 : null, signal: 'SIGSEGV', ...guessed }],
  ])('%s %j is told honestly', async (tool, args, details) => {
    const bed = openBed({ isolator })
    const outcome = await bed.call(tool, args)
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error' })
    const { hint, ...told } = (!outcome.ok && outcome.details) || {}
    expect(told).toEqual(details)
    // A signal is told in words too.
    expect(hint === undefined).toBe(details.signal === null)
    await bed.runner.close()
  })
})
