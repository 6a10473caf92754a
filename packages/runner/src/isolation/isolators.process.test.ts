import { limits } from '@svc/contract/limits'
import { describe, expect, it } from 'vitest'
import { openBed } from '../testing/bed.ts'
import { type IsolatorName, isolators } from './isolators.ts'
import { isAllowed } from './probes.ts'

const allowed = (name: IsolatorName) => isAllowed(name, limits.ISOLATION_PROBE_MS)

describe.each((Object.keys(isolators) as IsolatorName[]).filter(allowed))(
  'kept together by %s',
  (isolator) => {
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
      expect(!outcome.ok && outcome.details).toEqual(details)
      await bed.runner.close()
    })
  },
)
