import { OptionError } from '@svc/node/options'
import { expect, it } from 'vitest'
import { serverModel } from './server-model.ts'
import { knownOf, quirkNames, quirksRule } from './server-quirks.ts'

it.each([
  ['whole', [['whole', 1]]],
  [
    'no:stream_options, no_tools',
    [
      ['no:stream_options', 1],
      ['no_tools', 1],
    ],
  ],
  [
    'tools=64 max_tokens=4096',
    [
      ['tools', 64],
      ['max_tokens', 4_096],
    ],
  ],
  ['no:tools.function.strict', [['no:tools.function.strict', 1]]],
  ['', []],
])('the quirks %j are known', (text, expected) => {
  expect(quirksRule(text, 'SVC_LLM_QUIRKS')).toBe(null)
  expect([...knownOf(quirkNames(text))]).toEqual(expected)
})

it.each(['holw', 'tools', 'tools=0', 'whole=2', 'no:', 'no:a b', 'constructor'])(
  'the quirk %j is refused',
  (text) => {
    expect(quirksRule(text, 'SVC_LLM_QUIRKS')).toMatch(
      /^SVC_LLM_QUIRKS must be one of tools=8, simple_schemas, /,
    )
  },
)

const server = { baseURL: 'https://models.site.org/v1', model: 'small-4' }
it.each<[string, object, RegExp]>([
  ['without a model', { model: undefined }, /model/],
  ['with a file as its address', { baseURL: 'file:///x' }, /baseURL must be an http or https address/],
  ['with a quirk that nobody knows', { quirks: ['holw'] }, /quirks.*must be one of/],
  ['with another option', { temperature: 1 }, /temperature/],
])('a model of a server %s is refused', (_name, change, message) => {
  const make = () => serverModel({ ...server, ...change } as typeof server)
  expect(make).toThrow(OptionError)
  expect(make).toThrow(message)
})

it('a model of a server is one of the AI SDK', () => {
  expect(serverModel({ ...server, quirks: ['whole'] })).toMatchObject({
    specificationVersion: 'v4',
    modelId: 'small-4',
  })
})
