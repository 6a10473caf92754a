import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { describe, expect, it } from 'vitest'
import { isolators, readExit } from './isolators.ts'

const exit = (exitCode: number | null, signal: string | null = null) => ({ exitCode, signal })

verifies('wall.plugin.bounds', 'a plugin may not go before the other processes of the machine', () => {
  const cell = {
    view: { readable: [], writable: [] },
    reached: [],
    folder: '/p',
    cache: undefined,
    filter: undefined,
    etc: undefined,
    cwd: '/p',
    installed: [],
    hidden: [],
  }
  expect(isolators.bubblewrap.before(cell, limits).join(' ')).toMatch(/; ulimit -r 0 /)
})

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
