import { expect, it } from 'vitest'
import { connectRunner, createRunner } from './index.ts'
import { silentLog } from './port/log.ts'

it.each([
  [
    { isolation: 'requird' },
    'isolation must be "auto", "required" or "none", got "requird"; did you mean `required`?',
  ],
  [{ isolaton: 'none' }, 'unknown option `isolaton`; did you mean `isolation`?'],
  [{ limits: { POOL_IDLE_MS: 'x' } }, 'limits.POOL_IDLE_MS must be a whole number of at least 0, got "x"'],
  [{ limits: { POOL_IDLE: 1 } }, 'unknown option `limits.POOL_IDLE`; did you mean `POOL_IDLE_MS`?'],
  [{ homebrew: 1 }, 'homebrew must be true or false, got 1'],
  [
    { npmRegistry: 'registry' },
    'npmRegistry must be a URL such as https://registry.npmjs.org, got "registry"',
  ],
  [{ allowLoopback: '127.0.0.1' }, 'allowLoopback must be a list, got "127.0.0.1"'],
  [{ workDir: '' }, 'workDir must be a text that is not empty, got ""'],
])('createRunner(%j) is refused', (options, sentence) => {
  expect(() => createRunner(options as never)).toThrow(`createRunner: ${sentence}`)
})

const methods = ['call', 'job', 'describe', 'install', 'departed', 'close']
const runner = Object.fromEntries(methods.map((name) => [name, async () => undefined]))

it.each([
  [{ token: 'hidden' }, 'token must be the one of the enrolment, which begins with svcr_, got 6 characters'],
  [{ url: 'http://site.org' }, 'url must be an https URL'],
  [{ url: 7 }, 'url must be an https URL'],
  [{ slots: 2 }, 'slots must be an object with jobs, got 2'],
  [{ slots: { jobs: 0 } }, 'slots.jobs must be a whole number of at least 1, got 0'],
  [{ runner: null }, 'runner must be an object with the methods call'],
  [{ stateDir: 1 }, 'stateDir must be a text that is not empty, got 1'],
  [{ alow: () => true }, 'unknown option `alow`; did you mean `allow`?'],
])('connectRunner with %j is refused', (more, sentence) => {
  const options = { url: 'https://site.org', token: 'svcr_hidden', runner, log: silentLog, ...more }
  expect(() => connectRunner(options as never)).toThrow(`connectRunner: ${sentence}`)
  expect(() => connectRunner(options as never)).not.toThrow('hidden')
})
