import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { pino } from 'pino'
import { expect } from 'vitest'
import { runnerOf } from './built-in-runner.ts'
import { type HostOptions, readSettings } from './settings.ts'

verifies.each('wall.default.isolation')<[HostOptions, 'auto' | 'required' | 'none', string]>([
  [{}, 'auto', '127.0.0.1'],
  [{ origins: ['http://localhost:3000'] }, 'auto', '::1'],
  [{ origins: ['https://app.site.org'] }, 'required', '127.0.0.1'],
  [{}, 'required', '0.0.0.0'],
  [{}, 'required', '10.0.0.5'],
  [{ isolation: 'auto', origins: ['https://app.site.org'] }, 'auto', '0.0.0.0'],
  [{ isolation: 'none' }, 'none', '0.0.0.0'],
])('a host of %j has isolation %s where it listens on %s', async (options, isolation, address) => {
  const { runner, onListen } = runnerOf(options, readSettings(options), {
    limits,
    log: pino({ level: 'silent' }),
  })
  onListen(address)
  expect(runner && 'isolation' in runner && runner.isolation).toMatchObject({ option: isolation })
  await runner?.close()
})
