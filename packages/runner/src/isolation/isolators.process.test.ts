import { limits } from '@svc/contract/limits'
import { describe, expect, it } from 'vitest'
import { openBed } from '../testing/bed.ts'
import { type IsolatorName, isolators, readExit } from './isolators.ts'
import { isAllowed } from './probes.ts'

const exit = (exitCode: number | null, signal: string | null = null) => ({ exitCode, signal })

describe('how an exit is read', () => {
  it.each([
    ['a code of its own', 'namespace', exit(3), exit(3)],
    ['a code that no signal has', 'namespace', exit(255), exit(255)],
    ['0', 'namespace', exit(0), exit(0)],
    ['a signal that reached the isolator itself', 'namespace', exit(null, 'SIGKILL'), exit(null, 'SIGKILL')],
    ['a code that may be a signal', 'namespace', exit(139), { ...exit(139, 'SIGSEGV'), signalGuessed: true }],
    ['the same without an init', 'marked', exit(139), exit(139)],
    ['a signal without an init', 'plain', exit(null, 'SIGSEGV'), exit(null, 'SIGSEGV')],
  ] as const)('%s', (_, isolator, before, after) => {
    expect(readExit(isolators[isolator], before)).toEqual(after)
  })
})

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
