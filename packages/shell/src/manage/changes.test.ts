import { describe, expect, it } from 'vitest'
import { changeLines, changesText, placeText } from './changes.ts'

describe('a difference in words', () => {
  it.each([
    ['manifest.tools.forecast', 'tool forecast'],
    ['manifest.tools.forecast.description', 'the description of tool forecast'],
    ['manifest.tools.a.b.description', 'the description of tool a.b'],
    ['manifest.tools.forecast.parameters.city', 'parameter city of tool forecast'],
    ['manifest.tools.forecast.parameters.city.type', 'the type of parameter city of tool forecast'],
    ['manifest.tools.forecast.input_schema.properties.city', 'the input_schema of tool forecast'],
    ['manifest.tools.forecast.output_schema', 'the output_schema of tool forecast'],
    ['manifest.tools.forecast.output_schema.type', 'the output_schema of tool forecast'],
    ['manifest.tools', 'the tools in the manifest'],
    ['manifest.name', 'the name in the manifest'],
    ['manifest.credentials.KEY', 'credential KEY'],
    ['manifest.host_capabilities.[0]', 'what it asks of the host'],
    ['manifest', 'the manifest'],
    ['distribution', 'where it comes from'],
    ['distribution.type', 'the type of the distribution'],
    ['distribution.version', 'the version of the package'],
    ['distribution.urls.linux-x64.sha256', 'the binary for linux-x64'],
    ['something.else', 'something.else'],
  ])('%s is %s', (path, words) => expect(placeText(path)).toBe(words))

  it.each([
    [{ added: ['a', 'b'], removed: [], changed: ['c'], truncated: false }, '2 added, 1 changed'],
    [{ added: [], removed: ['a'], changed: [], truncated: true }, '1 removed, and more'],
    [{ added: [], removed: [], changed: [], truncated: false }, 'nothing'],
  ])('counts %j', (changes, text) => expect(changesText(changes)).toBe(text))

  it('tells what came first, then what went, then what changed', () => {
    const changes = {
      added: ['distribution.path'],
      removed: ['manifest.tools.a'],
      changed: [],
      truncated: false,
    }
    expect(changeLines(changes).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'added the path of the distribution',
      'removed tool a',
    ])
  })
})
