import { verifies } from '@svc/conformance/verifies'
import { systemClock } from '@svc/node'
import { memoryBus, memoryStore } from '@svc/state'
import { describe, expect, it } from 'vitest'
import { createHost } from './create-host.ts'
import { type HostOptions, readSettings } from './settings.ts'

const SECRET = 'x'.repeat(32)

describe('the secret', () => {
  verifies.each('wall.secret')<[name: string, options: () => HostOptions, sentence: string]>([
    ['a store', () => ({ store: memoryStore() }), 'needs a secret of at least 32 characters'],
    ['a bus', () => ({ bus: memoryBus({ clock: systemClock }) }), 'needs a secret of at least 32 characters'],
    ['a short one', () => ({ secret: SECRET.slice(1) }), 'must have at least 32 characters, got 31'],
    ['a store and a short one', () => ({ store: memoryStore(), secret: '' }), 'must have at least 32'],
  ])('%s of the caller makes no host without it', (_name, options, sentence) => {
    expect(() => createHost({ runner: null, ...options() })).toThrow(sentence)
  })

  it('with it a store of the caller is taken', () => {
    expect(() => readSettings({ store: memoryStore(), secret: SECRET })).not.toThrow()
  })
})

verifies.each('wall.default.publishing')<[HostOptions, string]>([
  [{ harness: true }, 'everybody'],
  [{ signIn: 'dev' }, 'everybody'],
  [{ authenticate: () => null }, 'own'],
  [{}, 'own'],
  [{ authenticate: () => null, publishing: 'everybody' }, 'everybody'],
])('a host of %j lets users publish for %s', (options, publishing) => {
  expect(readSettings(options).publishing).toBe(publishing)
})

describe('what cannot stand together', () => {
  verifies.each('wall.dev_login.here')<[HostOptions, string]>([
    [{ signIn: 'dev', authenticate: () => null }, 'exclude each other'],
    [
      { signIn: 'dev', origins: ['http://localhost:3000', 'https://app.site.org'] },
      'is for this machine alone',
    ],
    [{ origins: ['https://app.site.org/'] }, 'origins[0] must be an origin'],
    [{ bundleOrigin: 'nowhere' }, 'bundleOrigin must be an origin'],
    [{ bundleOrigin: 'https://x-{app}.site.org' }, 'bundleOrigin with a label for each app must be such as'],
    [{ allowLoopback: ['https://img.test'] }, 'allowLoopback[0] must be a host of this machine'],
  ])('%j is refused', (options, sentence) => {
    expect(() => readSettings(options)).toThrow(sentence)
  })
})

verifies('hmr.harness', 'takes a source of development for an app in the harness alone', () => {
  const apps = [{ dir: 'notes', dev: { connect: [], read: async () => null } }]
  expect(() => readSettings({ harness: true, apps })).not.toThrow()
  expect(() => readSettings({ apps })).toThrow('the app in notes has `dev`, which only the harness takes')
})
