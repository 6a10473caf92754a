import { verifies } from '@svc/conformance/verifies'
import { port } from '@svc/node/options'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createHost } from './create-host.ts'
import { hostOptionProblem } from './host-rules.ts'

const model = { specificationVersion: 'v4' }
const known = {
  harness: true,
  basePath: '/svc',
  origins: [],
  secret: 'x'.repeat(32),
  signIn: 'dev',
  storage: 'persistent',
  apps: [{ dir: 'a', grants: { upload_grant: true, agent: { inherit_host_tools: true }, quota_caps: {} } }],
  plugins: [{ slug: 'a', command: ['a'], cwd: '.', env: { ANY: 'x' }, protocol: 'mcp', sampling: true }],
  models: { default: { model, vision: true }, other: { model } },
  quotas: { runs_per_day: 1 },
  limits: {},
  runner: null,
}

it('takes what a host knows', () => {
  expect(hostOptionProblem(known)).toBeNull()
  expect(hostOptionProblem({ models: null, runner: null })).toBeNull()
  expect(hostOptionProblem({ port: 1 }, { port })).toBeNull()
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
    'unknown option `plugins[0].nosuch`; there are slug, command, cwd, env, protocol, sampling, reach, start_ms, session, problem',
  ],
  [
    { models: { default: { model, visoin: true } } },
    'unknown option `models.default.visoin`; did you mean `vision`?',
  ],
  [{ quotas: { run_per_day: 1 } }, 'unknown option `quotas.run_per_day`; did you mean `runs_per_day`?'],
  [
    { platformTools: [{ devSafe: true }] },
    'unknown option `platformTools[0].devSafe`; did you mean `dev_safe`?',
  ],
])('refuses %j', (options, sentence) => {
  expect(hostOptionProblem(options)).toBe(sentence)
  const logger = pino({ level: 'silent' })
  expect(() => createHost({ logger, ...options } as never)).toThrow(`createHost: ${sentence}`)
})

it('names every option where none is near', () => {
  expect(hostOptionProblem({ nosuch: 1 })).toMatch(
    /^unknown option `nosuch`; there are harness, store, .*, page$/,
  )
})

const SECRET = 'hidden-'.repeat(5)
const slug = { slug: 'a', command: ['x'] }
const dir = { dir: 'a' }

verifies.each('host.config.values')<[object, RegExp]>([
  [{ harness: 'true' }, /^harness must be true or false, got "true"; write true without quotes$/],
  [{ store: {} }, /^store must be an object with the methods insert, .*, got an object$/],
  [{ bus: { ...memoryStore() } }, /^bus must be an object with the methods publish/],
  [{ blobs: 'memory' }, /^blobs must be an object with the methods put, .*, got "memory"$/],
  [{ runner: false }, /^runner must be an object with the methods call, .*, got false$/],
  [{ models: [] }, /^models must be an object, got a list$/],
  [{ models: { other: { model } } }, /^models needs one with the name default$/],
  [
    { models: { default: { model: 'gpt' } } },
    /^models\.default\.model must be a model object .*, got 3 characters$/,
  ],
  [{ models: { default: { model: { specificationVersion: 'v2' } } } }, /\(ai 7\), got v2$/],
  [{ models: { default: {} } }, /^models\.default\.model must be a model object .*, got nothing$/],
  [
    { models: { default: { model, cost: 2 } } },
    /^models\.default\.cost must be a number from 0 to 1, got 2$/,
  ],
  [{ models: { default: { model, speed: Number.NaN } } }, /speed must be a number from 0 to 1, got NaN$/],
  [{ embeddingModel: 'x' }, /^embeddingModel must be a model object/],
  [{ imageModel: null }, /^imageModel must be a model object .*, got null$/],
  [{ quotas: 5 }, /^quotas must be an object with completions_per_day, .*, got 5$/],
  [
    { quotas: { runs_per_day: 1.5 } },
    /^quotas\.runs_per_day must be a whole number of at least 0, got 1\.5$/,
  ],
  [{ quotas: { runs_per_day: '5' } }, /got "5"; write 5 without quotes$/],
  [{ authenticate: true }, /^authenticate must be a function, got true$/],
  [
    { approvals: 'destructiv' },
    /^approvals must be "destructive" or "none", got "destructiv"; did you mean `destructive`\?$/,
  ],
  [{ signIn: 'oidc' }, /^signIn must be "dev" or "none", got "oidc"$/],
  [
    { signIn: 'dev', startToken: SECRET.slice(0, 31) },
    /^startToken must be 32 to 128 .*, got 31 characters$/,
  ],
  [{ secret: 7 }, /^secret must be a text, or a list .*, got a number$/],
  [{ secret: [SECRET] }, /^secret\[0\] must be an object with kid, secret, got 35 characters$/],
  [{ secret: [{ kid: '!', secret: SECRET }] }, /^secret\[0\]\.kid must be 1 to 64 letters/],
  [
    { secret: [{ kid: 'a', secret: 'hidden' }] },
    /^secret\[0\]\.secret must have at least 32 characters, got 6 characters$/,
  ],
  [
    {
      secret: [
        { kid: 'a', secret: SECRET },
        { kid: 'a', secret: SECRET },
      ],
    },
    /each kid once/,
  ],
  [{ apps: 'a' }, /^apps must be a list, got "a"$/],
  [{ apps: ['a'] }, /^apps\[0\] must be an object with dir, grants, dev, got "a"$/],
  [{ apps: [{}] }, /^apps\[0\]\.dir must be a text that is not empty, got nothing$/],
  [
    { apps: [{ ...dir, grants: { upload_grant: 1 } }] },
    /^apps\[0\]\.grants\.upload_grant must be a boolean, got 1$/,
  ],
  [
    { apps: [{ ...dir, grants: { quota_caps: { max_runs_per_day: -1 } } }] },
    /max_runs_per_day must be at least 0, got -1$/,
  ],
  [
    { apps: [{ ...dir, grants: { agent: { inherit: true } } }] },
    /^unknown option `apps\[0\]\.grants\.agent\.inherit`/,
  ],
  [{ apps: [{ ...dir, dev: true }] }, /^apps\[0\]\.dev must be an object with the methods read, got true$/],
  [{ plugins: [{ command: ['x'] }] }, /^plugins\[0\]\.slug must be lower-case letters, .*, got nothing$/],
  [
    { plugins: [{ slug: 'a', command: 'x hidden' }] },
    /^plugins\[0\]\.command must be a list of program and arguments, got 8 characters$/,
  ],
  [
    { plugins: [{ slug: 'a', command: ['x', 1] }] },
    /^plugins\[0\]\.command\[1\] must be a text, got a number$/,
  ],
  [{ plugins: [{ ...slug, cwd: 1 }] }, /^plugins\[0\]\.cwd must be a text/],
  [{ plugins: [{ ...slug, env: { A: 1 } }] }, /^plugins\[0\]\.env\.A must be a text, got a number$/],
  [
    { plugins: [{ ...slug, protocol: 'MCP' }] },
    /protocol must be "svc" or "mcp", got "MCP"; did you mean `mcp`\?$/,
  ],
  [{ plugins: [{ ...slug, sampling: 'yes' }] }, /^plugins\[0\]\.sampling must be true or false, got "yes"$/],
  [
    { plugins: [{ ...slug, reach: { hosts: ['*'] } }] },
    /^plugins\[0\]\.reach\.hosts\.0 must be a host such as/,
  ],
  [{ plugins: [slug, slug] }, /^plugins: the slug "a" is listed twice$/],
  [
    { isolation: 'requird' },
    /^isolation must be "auto", "required" or "none", got "requird"; did you mean `required`\?$/,
  ],
  [{ platformTools: [{ name: 'A' }] }, /^platformTools\[0\]\.name must have at most 64 lower-case letters/],
  [{ credentials: {} }, /^credentials must be an object with the methods status, request, got an object$/],
  [{ webSearch: {} }, /^webSearch must be a function, got an object$/],
  [{ limits: [] }, /^limits must be an object, got a list$/],
  [
    { limits: { POOL_IDLE_MS: 1.5 } },
    /^limits\.POOL_IDLE_MS must be a whole number of at least 0, got 1\.5$/,
  ],
  [{ clock: Date }, /^clock must be an object with the methods now, setTimer, got a function$/],
  [{ newId: 'uuid' }, /^newId must be a function/],
  [{ logger: true }, /^logger must be an object with the methods debug, info, warn, error, got true$/],
  [{ basePath: 'svc' }, /^basePath must be a path such as \/svc/],
  [{ bundleOrigin: 'nowhere' }, /^bundleOrigin must be an origin/],
  [{ origins: 'https://a.b' }, /^origins must be a list, got "https:\/\/a\.b"$/],
  [{ origins: ['https://a.b/'] }, /^origins\[0\] must be an origin such as https:\/\/app\.site\.org, got/],
  [
    { origins: ['https://*.a.b'] },
    /^origins\[0\] must not have a wildcard: list each page, got "https:\/\/\*\.a\.b"$/,
  ],
  [{ origins: ['http://[::1]:80801'] }, /^origins\[0\] must be an origin/],
  [{ origins: ['http://[::1]:8080'] }, /^origins\[0\] must not be an IPv6 address, which no policy/],
  [{ pageTokens: { secret: undefined } }, /^pageTokens must have a secret or a publicKey, and not both, got/],
  [
    { pageTokens: { secret: 'hidden' } },
    /^pageTokens\.secret must have at least 32 characters, got 6 characters$/,
  ],
  [
    { pageTokens: { publicKey: SECRET } },
    /^pageTokens\.publicKey must be a public key in PEM: .*, got 35 characters$/,
  ],
  [{ partitionedCookies: 1 }, /^partitionedCookies must be true or false, got 1$/],
  [
    { frameAncestors: ['*'] },
    /^frameAncestors\[0\] must be an origin such as https:\/\/portal\.site\.org or/,
  ],
  [{ frameAncestors: ["https://a.b 'self'"] }, /^frameAncestors\[0\] must be an origin/],
  [{ origins: ['https://u:hidden@a.b'] }, /got "https:\/\/…@a\.b"$/],
  [
    { trustedProxies: ['10.0.0.0/99'] },
    /^trustedProxies\[0\] must be an address or a range such as 10\.0\.0\.0\/8, got/,
  ],
  [{ trustedProxies: 1 }, /^trustedProxies must be a list, got 1$/],
  [
    { allowLoopback: ['site.org/x'] },
    /^allowLoopback\[0\] must be a host of this machine such as img\.test:8443/,
  ],
  [{ upgrades: 1 }, /^upgrades must be true or false, got 1$/],
  [{ storage: 'persistant' }, /got "persistant"; did you mean `persistent`\?$/],
  [
    { metricsToken: '' },
    /^metricsToken must have at least 1 character and no white space, got 0 characters$/,
  ],
  [
    { operatorToken: 12_345 },
    /^operatorToken must have at least 32 characters and no white space, got a number$/,
  ],
  [{ operatorToken: 'hidden' }, /got 6 characters$/],
  [{ audit: 'stdout' }, /^audit must be a function, got "stdout"$/],
  [{ page: './page' }, /^page must be a function, got "\.\/page"$/],
])('judges the value in %j', (options, sentence) => {
  const problem = hostOptionProblem(options)
  expect(problem).toMatch(sentence)
  expect(problem).not.toContain('hidden')
  expect(() => createHost({ runner: null, ...options } as never)).toThrow(`createHost: ${problem}`)
})
