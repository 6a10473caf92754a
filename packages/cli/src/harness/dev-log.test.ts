import { expect, it } from 'vitest'
import { logLine } from './dev-log.ts'
import { readLog } from './read-log.ts'

const plugin = 'tool-local-csv-stats-a790cc5c'
const boom = Object.assign(new Error('no disk', { cause: new Error('it is full') }), {
  stack: 'E\n    at save (a.ts:1:2)',
})

it.each([
  ['info', { plugin, event: 'plugin_stderr' }, 'read 3 rows', 'csv-stats | read 3 rows'],
  [
    'info',
    { plugin, event: 'plugin_stderr' },
    '\u001b[31mred\r\nalert',
    'csv-stats | \\u001b[31mred\\u000d alert',
  ],
  [
    'info',
    { plugin, event: 'plugin_stderr' },
    'a\r\nsvc: b\u2028c\u2029d\u0000e\u0085f\u202eg',
    'csv-stats | a\\u000d svc: b\\u2028c\\u2029d\\u0000e\\u0085f\\u202eg',
  ],
  ['info', { plugin, event: 'plugin_stderr' }, '\tat save (a.ts:1)', 'csv-stats |     at save (a.ts:1)'],
  [
    'warn',
    { plugin, version: '1.0.0', code: 'plug_unavailable', details: { exit_code: 1 } },
    'the plugin ended',
    'csv-stats: warning: the plugin ended  code=plug_unavailable  details={ exit_code: 1 }',
  ],
  [
    'error',
    { err: boom, ns: 'notes' },
    'a call failed',
    'svc: error: a call failed: no disk: it is full: at save (a.ts:1:2)  ns=notes',
  ],
  ['info', { runner: 'rnr_1' }, 'a runner is online', 'svc: a runner is online  runner=rnr_1'],
] as const)('%s %j reads as one line', (level, fields, message, line) => {
  const lines: string[] = []
  const log = readLog(
    (text) => lines.push(logLine(text)),
    () => undefined,
  )
  log[level](fields, message)
  log.debug('for nobody')
  expect(lines).toEqual([line])
})
