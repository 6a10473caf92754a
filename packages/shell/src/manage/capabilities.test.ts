import { describe, expect, it } from 'vitest'
import { capabilitiesOf } from './capabilities.ts'

describe('capabilities in words', () => {
  it.each([
    ['a text that cannot be read', '{', []],
    ['a manifest that lists nothing', '{"name": "w", "tools": 4, "credentials": {}}', []],
    [
      'all kinds',
      JSON.stringify({
        name: 'w',
        tools: [{ name: 'forecast', description: 'Says how it will be' }, { name: 'now' }, 7],
        host_capabilities: ['llm.sample', 'unheard.of', 7],
        credentials: ['KEY', { name: 'TOKEN', description: 'Of your account' }],
      }),
      [
        'tool forecast: Says how it will be',
        'tool now: No description',
        'host llm.sample: May have a language model complete a text, on the account of who calls it',
        'host unheard.of: Not known to this page: the host gives it nothing for that',
        'credential KEY: You are asked for it once; the plugin alone sees its value',
        'credential TOKEN: Of your account',
      ],
    ],
  ])('%s', (_, text, lines) => {
    const told = capabilitiesOf(text).flatMap(({ lines }) => lines)
    expect(told.map(({ kind, name, sentence }) => `${kind} ${name}: ${sentence}`)).toEqual(lines)
  })
})
