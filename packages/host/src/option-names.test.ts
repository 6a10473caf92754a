import { verifies } from '@svc/conformance/verifies'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createHost } from './create-host.ts'
import { unknownOption } from './option-names.ts'

const known = {
  harness: true,
  basePath: '/svc',
  origins: [],
  secret: 'x',
  signIn: 'dev',
  storage: 'persistent',
  apps: [{ dir: 'a', grants: { upload_grant: true, agent: { inherit_host_tools: true }, quota_caps: {} } }],
  plugins: [{ slug: 'a', command: ['a'], cwd: '.', env: { ANY: 'x' }, protocol: 'mcp', sampling: true }],
  models: { default: { model: { any: 1 }, vision: true }, other: { model: {} } },
  quotas: { runs_per_day: 1 },
  limits: {},
  runner: null,
}

it('takes what a host knows', () => {
  expect(unknownOption(known)).toBeNull()
  expect(unknownOption({ models: null, runner: null })).toBeNull()
  expect(unknownOption({ port: 1 }, ['port'])).toBeNull()
})

verifies.each('host.config.unknown')<[object, string]>([
  [{ origns: [] }, 'unknown option `origns`; did you mean `origins`?'],
  [{ basepath: '/svc' }, 'unknown option `basepath`; did you mean `basePath`?'],
  [{ authentication: 1 }, 'unknown option `authentication`; did you mean `authenticate`?'],
  [{ origns: undefined }, 'unknown option `origns`; did you mean `origins`?'],
  [{ apps: [{ dir: 'a' }, { dirs: 'b' }] }, 'unknown option `apps[1].dirs`; did you mean `dir`?'],
  [{ apps: [{ grant: {} }] }, 'unknown option `apps[0].grant`; did you mean `grants`?'],
  [
    { apps: [{ grants: { uplod_grant: true } }] },
    'unknown option `apps[0].grants.uplod_grant`; did you mean `upload_grant`?',
  ],
  [
    { plugins: [{ nosuch: 1 }] },
    'unknown option `plugins[0].nosuch`; there are slug, command, cwd, env, protocol, sampling, reach',
  ],
  [
    { models: { default: { visoin: true } } },
    'unknown option `models.default.visoin`; did you mean `vision`?',
  ],
  [{ quotas: { run_per_day: 1 } }, 'unknown option `quotas.run_per_day`; did you mean `runs_per_day`?'],
  [
    { platformTools: [{ devSafe: true }] },
    'unknown option `platformTools[0].devSafe`; did you mean `dev_safe`?',
  ],
])('refuses %j', (options, sentence) => {
  expect(unknownOption(options)).toBe(sentence)
  const logger = pino({ level: 'silent' })
  expect(() => createHost({ logger, ...options } as never)).toThrow(`createHost: ${sentence}`)
})

it('names every option where none is near', () => {
  expect(unknownOption({ nosuch: 1 })).toMatch(
    /^unknown option `nosuch`; there are harness, store, .*, page$/,
  )
})
