import { expect, it } from 'vitest'
import { isLocal, signInHint } from './publish.ts'

it.each([
  ['http://127.0.0.1:4873/', true],
  ['http://localhost:4873', true],
  ['http://[::1]:4873', true],
  ['https://registry.site.org', false],
  ['http://127.0.0.1.site.org', false],
])('%s is on this machine: %s', (url, local) => {
  expect(isLocal(url)).toBe(local)
})

it('says what npm wants of a registry that takes everybody', () => {
  expect(signInHint('http://127.0.0.1:4873', 'npm error code ENEEDAUTH')).toContain(
    'npm config set //127.0.0.1:4873/:_authToken=any',
  )
  expect(signInHint('http://127.0.0.1:4873', 'npm error code E500')).toBe('')
})
