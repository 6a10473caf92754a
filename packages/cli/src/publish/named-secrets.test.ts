import { expect, it } from 'vitest'
import { namedSecrets } from './named-secrets.ts'

const found = (needs: object) => namedSecrets({ type: 'npm', package_name: 'a', ...needs })
const github = `ghp_${'a1'.repeat(18)}`
const unknown = 'tvly-dev-0123456789abcdef'

it.each([
  ['a known token in a variable', { env: { X: github } }, 'env.X'],
  ['a known token in a default', { env: { X: { default: github } } }, 'env.X.default'],
  ['a known token in an argument', { args: ['--x', `Bearer ${github}`] }, 'args.1'],
  ['a password in a URL', { args: ['postgresql://me:hunter2@db.example.com/x'] }, 'args.0'],
  ['what a name says', { env: { TAVILY_API_KEY: unknown } }, 'env.TAVILY_API_KEY'],
  ['the value of an option', { args: ['--api-key', unknown] }, 'args.1'],
  ['an option with its value', { args: [`--token=${unknown}`] }, 'args.0'],
])('finds %s', (_, needs, at) => {
  const [one, ...others] = found(needs)
  expect(one).toEqual({ at, what: expect.stringMatching(/^a .*\(.*\d+ characters\)$/) })
  expect(one?.what).not.toContain(unknown)
  expect(others).toEqual([])
})

it.each([
  ['a name of a variable', { env: { AUTH: 'Bearer ${API_TOKEN_0123456789}', API_KEY: { secret: true } } }],
  ['a word', { env: { SORT_KEY: 'created_at', AUTH: 'none' }, args: ['--key', 'name'] }],
  ['a place', { env: { AUTH: 'https://auth.example.com/v1/0', KEY: '/etc/keys/0123456789.pem' } }],
  [
    'a long text of another name',
    { env: { MODEL: 'some-model-2026-01-01-large' }, args: ['--model', 'some-model-2026-01-01'] },
  ],
])('takes %s', (_, needs) => {
  expect(found(needs)).toEqual([])
})
