import { requirements } from '@svc/conformance/requirements'
import { expect, it } from 'vitest'
import { checks } from './check-plugin.ts'
import { manifestProblems } from './manifest-check.ts'

const ids: ReadonlySet<string> = new Set(requirements.map(({ id }) => id))

it.each(checks.map((check) => [check.name, check] as const))(
  'proves a requirement: %s',
  (_, { id, hint }) => {
    expect(ids).toContain(id)
    expect(hint).toMatch(/\S/)
  },
)

it.each([
  ['no object', [], ['the result of describe must be an object']],
  ['no tools', { name: 'a' }, ['tools must be an array']],
  [
    'all that is wrong at once',
    { name: '', version: 'one', tools: [{ name: 'a' }, { name: 'a' }] },
    [
      'name must have at least 1 character, got ""',
      'version must be SemVer such as 1.0.0, got "one"',
      'tools.1.name is listed twice among the tools, got "a"',
    ],
  ],
  ['nothing', { name: 'a', tools: [] }, []],
])('names what is wrong with a manifest: %s', (_, manifest, problems) => {
  expect(manifestProblems(manifest)).toEqual(problems)
})
