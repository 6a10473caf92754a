import { expect, it } from 'vitest'
import { spoken } from './protocol.ts'
import type { CommandSpec } from './runner.ts'

const plugin: CommandSpec = {
  id: 'tool-odd',
  version: '1.0.0',
  command: ['node', 'server.mjs'],
  protocol: 'mcp',
}

it.each([[undefined], ['svc']] as const)('leaves a command with protocol %j as it is', (protocol) => {
  const one = { ...plugin, protocol }
  expect(spoken(one)).toBe(one)
})

it.each([
  [false, ['--']],
  [true, ['--sampling', '--']],
])('puts the adapter before a command that speaks MCP, sampling %j', (sampling, options) => {
  const { command, ...rest } = spoken({ ...plugin, sampling, cwd: '/tmp' })
  expect(command).toEqual([
    'node',
    expect.stringMatching(/mcp\/src\/main\.ts$/),
    ...options,
    'node',
    'server.mjs',
  ])
  expect(rest).toEqual({ id: 'tool-odd', version: '1.0.0', cwd: '/tmp' })
})
