import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { HostOptions } from '@svc/host'
import { expect, it, onTestFinished } from 'vitest'
import { judgeConfig } from './judge-config.ts'

function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-judge-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

it('takes a good config, and leaves the data folder alone', async () => {
  const dir = folder()
  await judgeConfig({ signIn: 'dev' }, path.join(dir, 'data'))
  expect(readdirSync(dir)).toEqual([])
})

it.each<[string, HostOptions, RegExp]>([
  [
    'an app that is not there',
    { apps: [{ dir: '/no-such/app' }] },
    /^apps\[0\]\.dir \/no-such\/app is not there$/,
  ],
  [
    'an app that cannot be used',
    { apps: [{ dir: import.meta.dirname }] },
    /^the app in \S+ cannot be used: /,
  ],
  ['a limit below 0', { limits: { JOBS_ACTIVE_PER_USER: -1 } }, /limits.JOBS_ACTIVE_PER_USER/],
  ['an origin that is none', { origins: ['site.org/x'] }, /^origins must be an origin/],
  ['a short token', { operatorToken: 'short' }, /^operatorToken must have at least/],
  ['a store without a secret', { store: {} as never }, /needs a secret/],
])('refuses %s', async (_, options, message) => {
  await expect(judgeConfig({ signIn: 'dev', ...options }, null)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringMatching(message),
  })
})

it('refuses a data folder among the files of an app', async () => {
  const dir = folder()
  await expect(judgeConfig({ apps: [{ dir }] }, path.join(dir, 'data'))).rejects.toThrow(
    /is inside the app folder/,
  )
})
