import { limits } from '@svc/contract/limits'
import { expect, it } from 'vitest'
import { mcpCommand } from './mcp-command.ts'
import { parseArgs } from './parse-args.ts'

it.each([
  [['server'], { command: ['server'] }],
  [['server', '--sampling'], { command: ['server', '--sampling'] }],
  [['--sampling', 'server', '-x'], { command: ['server', '-x'], sampling: true }],
  [['--', '-server'], { command: ['-server'] }],
  [['--sampling', '--', 'server', '--'], { command: ['server', '--'], sampling: true }],
  [['--start-ms', '30000', 'server', '--start-ms'], { command: ['server', '--start-ms'], startMs: 30_000 }],
])('reads %j', (args, parsed) => {
  expect(parseArgs(args)).toEqual({ sampling: false, startMs: limits.MCP_START_MS, ...parsed })
})

it.each([
  [[], 'name the server to run'],
  [['--'], 'name the server to run'],
  [[''], 'name the server to run'],
  [['--port', '1'], 'there is no option --port'],
  ...['', '999', '120001', '8e3.5', 'soon', '--'].map((ms): [string[], string] => [
    ['--start-ms', ms, 'server'],
    '--start-ms must be a whole number from 1000 to 120000',
  ]),
  [['--start-ms'], '--start-ms must be a whole number'],
])('refuses %j', (args, sentence) => {
  expect(parseArgs(args)).toContain(sentence)
})

it.each([
  [false, undefined],
  [true, 20_000],
])('reads what mcpCommand writes where sampling is %j', (sampling, startMs) => {
  const [program, main, ...args] = mcpCommand(['server', '--sampling'], { sampling, startMs })
  expect([program, main]).toEqual(['node', expect.stringMatching(/\/main\.ts$/)])
  expect(parseArgs(args)).toEqual({
    command: ['server', '--sampling'],
    sampling,
    startMs: startMs ?? limits.MCP_START_MS,
  })
})
