import { verifies } from '@svc/conformance/verifies'
import { platformTools } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { createHost } from '@svc/host'
import { expect, test } from 'vitest'
import { type AddedPlatformTool, openPlatformTools } from './platform-tools.ts'

const bell: AddedPlatformTool = {
  name: 'ring_bell',
  description: 'Rings a bell.',
  dev_safe: true,
  args: z.object({ times: z.int().min(1) }),
  call: ({ times }) => ({ rung: times }),
}

test('every tool of the contract is described to a model', () => {
  const tools = openPlatformTools([])
  expect([...tools.keys()]).toEqual(Object.keys(platformTools))
  for (const { name, description, inputSchema } of tools.values()) {
    expect(name).toMatch(/^[a-z_]+$/)
    expect(description).toMatch(/\.$/)
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
  }
  expect(tools.get('storage_get')?.inputSchema).toMatchObject({
    properties: { key: { type: 'string', minLength: 1, maxLength: 1_024 } },
    required: ['key'],
  })
})

verifies('host.config.platform_tools', 'a tool of the configuration stands beside them', () => {
  const tools = openPlatformTools([bell])
  expect(tools.get('ring_bell')).toMatchObject({
    name: 'ring_bell',
    description: 'Rings a bell.',
    dev_safe: true,
    inputSchema: {
      type: 'object',
      properties: { times: { type: 'integer', minimum: 1 } },
      required: ['times'],
    },
  })
})

const broken = (change: Readonly<Record<string, unknown>>) => ({ ...bell, ...change }) as AddedPlatformTool

verifies.each('host.config.platform_tools')([
  [
    'a name of every host',
    [broken({ name: 'time_now' })],
    'the name "time_now" is taken by another platform tool',
  ],
  ['a name twice', [bell, bell], 'the name "ring_bell" is taken by another platform tool'],
  ['a name that parts plugin and tool', [broken({ name: 'a__b' })], 'single underscores, got "a__b"'],
  ['a name with a dot', [broken({ name: 'a.b' })], 'single underscores, got "a.b"'],
  ['capitals', [broken({ name: 'Bell' })], 'lower-case letters, digits and single underscores, got "Bell"'],
  ['a name that no manifest can have', [broken({ name: 'a'.repeat(65) })], 'at most 64 lower-case letters'],
  ['no name', [broken({ name: undefined })], 'single underscores, got nothing'],
  [
    'no description',
    [broken({ description: '' })],
    'platformTools[0].description must be a text that is not empty, got ""',
  ],
  [
    'no dev_safe',
    [broken({ dev_safe: undefined })],
    'platformTools[0].dev_safe must be true or false, got nothing',
  ],
  [
    'destructive that is no boolean',
    [broken({ destructive: 'yes' })],
    'platformTools[0].destructive must be true or false, got "yes"',
  ],
  ['no call', [broken({ call: undefined })], 'platformTools[0].call must be a function, got nothing'],
  ['no args', [broken({ args: undefined })], 'platformTools[0].args must be an object schema'],
  [
    'args that are not an object',
    [broken({ args: z.string() })],
    'platformTools[0].args must be an object schema',
  ],
  [
    'args that JSON Schema cannot say',
    [broken({ args: z.object({ at: z.date() }) })],
    'platformTools[0].args must be an object schema of zod that JSON Schema can describe',
  ],
])('%s is refused', (_name, tools, sentence) => {
  expect(() => createHost({ runner: null, platformTools: tools })).toThrow(sentence)
})
