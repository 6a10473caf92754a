import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { explainFailure, failure, failureJson } from './failure.ts'
import { portText } from './text-rules.ts'

it('says a failure in one sentence and a hint, with the exit code of its kind', () => {
  expect(explainFailure(failure('port', 'port 1 is in use', 'take 2'))).toEqual({
    code: 5,
    lines: ['svc: port 1 is in use', '     take 2'],
  })
  expect(explainFailure(failure('usage', 'no'))).toEqual({ code: 2, lines: ['svc: no'] })
})

it('says where the docs tell about a code, to readers and to programs', () => {
  const failed = failure('host', 'no such app', undefined, 'not_found')
  const docs = 'docs/reference/errors.md#not_found'
  expect(explainFailure(failed).lines).toEqual([
    'svc: no such app',
    '     See "not_found" in the reference of errors.',
  ])
  expect(failureJson(failed)).toEqual({
    ok: false,
    error: { kind: 'host', code: 'not_found', message: 'no such app', docs },
  })
})

verifies('text.terminal', 'shows what a host said in a line that begins with nothing of ours', () => {
  const failed = failure('host', 'no\u001b[2J\nsvc: it is fine\u202e', 'do\n     that')
  expect(explainFailure(failed).lines).toEqual(['svc: no\\u001b[2J svc: it is fine\\u202e', '     do that'])
})

it('names a defect of its own as one', () => {
  const { code, lines } = explainFailure(new Error('boom'))
  expect([code, lines[0]]).toEqual([1, 'svc: an error inside svc itself'])
  expect(lines[1]).toContain('boom')
})

const caused = (name: string, more: object = {}) => Object.assign(new Error('it is wrong'), { name, ...more })
const system = (code: string, syscall: string, message: string, path?: string) =>
  Object.assign(new Error(message), { code, syscall, ...(path && { path }) })

it.each<[Error, number, string[]]>([
  [caused('OptionError'), 3, ['svc: it is wrong']],
  [caused('FolderError', { hint: 'do that' }), 3, ['svc: it is wrong', '     do that']],
  [caused('ArchiveError'), 3, ['svc: it is wrong']],
  [caused('StoreError'), 9, ['svc: it is wrong']],
  [caused('BusError'), 9, ['svc: it is wrong']],
  [
    system('EISDIR', 'read', 'EISDIR: illegal operation on a directory, read'),
    3,
    ['svc: EISDIR: illegal operation on a directory, read'],
  ],
  [
    system('ENOTDIR', 'mkdir', "ENOTDIR: not a directory, mkdir '/a/b'", '/a/b'),
    3,
    ['svc: /a/b: not a directory (ENOTDIR)'],
  ],
  [
    system('ENOSPC', 'write', "ENOSPC: no space left on device, write '/a'", '/a'),
    9,
    ['svc: /a: no space left on device (ENOSPC)'],
  ],
  [
    system('EADDRINUSE', 'listen', 'listen EADDRINUSE: address already in use'),
    5,
    ['svc: listen EADDRINUSE: address already in use'],
  ],
])('%s is what a user or a machine caused', (error, code, lines) => {
  expect(explainFailure(error)).toEqual({ code, lines })
  expect(failureJson(error).error.kind).not.toBe('internal')
})

it.each(['0', '8787', '65535'])('takes the port %s', (text) => {
  expect(portText(text, '--port')).toBeNull()
})

it.each(['', '-1', '65536', '1e3', '80.5', 'http'])('refuses the port %j', (text) => {
  expect(portText(text, '--port')).toBe(`--port must be a whole number from 0 to 65535, got "${text}"`)
})
