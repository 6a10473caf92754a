import { expect, it } from 'vitest'
import { mcpCommand } from './mcp-command.ts'
import { parseArgs } from './parse-args.ts'

it.each([
  [['server'], { command: ['server'], sampling: false }],
  [['server', '--sampling'], { command: ['server', '--sampling'], sampling: false }],
  [['--sampling', 'server', '-x'], { command: ['server', '-x'], sampling: true }],
  [['--', '-server'], { command: ['-server'], sampling: false }],
  [['--sampling', '--', 'server', '--'], { command: ['server', '--'], sampling: true }],
])('reads %j', (args, parsed) => {
  expect(parseArgs(args)).toEqual(parsed)
})

it.each([
  [[], 'name the server to run'],
  [['--'], 'name the server to run'],
  [[''], 'name the server to run'],
  [['--port', '1'], 'there is no option --port'],
])('refuses %j', (args, sentence) => {
  expect(parseArgs(args)).toContain(sentence)
})

it.each([[false], [true]])('reads what mcpCommand writes where sampling is %j', (sampling) => {
  const [program, main, ...args] = mcpCommand(['server', '--sampling'], { sampling })
  expect([program, main]).toEqual(['node', expect.stringMatching(/\/main\.ts$/)])
  expect(parseArgs(args)).toEqual({ command: ['server', '--sampling'], sampling })
})
