import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type HostOptions, memoryStore } from '@svc/host'
import { expect, it, onTestFinished } from 'vitest'
import { judgeConfig, type ServePlace } from './judge-config.ts'

const place = { dir: null, port: 8_787, address: undefined }

function folder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-judge-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

it('takes a good config, and leaves the data folder alone', async () => {
  const dir = folder()
  await judgeConfig({ signIn: 'dev' }, { ...place, dir: path.join(dir, 'data') })
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
  ['an origin that is none', { origins: ['site.org/x'] }, /^origins\[0\] must be an origin/],
  ['a short token', { operatorToken: 'short' }, /^operatorToken must have at least/],
  ['a store without a secret', { store: memoryStore() }, /needs a secret/],
])('refuses %s', async (_, options, message) => {
  await expect(judgeConfig({ signIn: 'dev', ...options }, place)).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringMatching(message),
  })
})

it('refuses a data folder among the files of an app', async () => {
  const dir = folder()
  await expect(judgeConfig({ apps: [{ dir }] }, { ...place, dir: path.join(dir, 'data') })).rejects.toThrow(
    /is inside the app folder/,
  )
})

it('gives no notice of a trial, which nobody has heard of', async () => {
  await judgeConfig({ signIn: 'dev', limits: { LEAVE_NOTICE_MS: 3_600_000 } }, place)
})

it.each<[string, Partial<ServePlace>, RegExp]>([
  ['a port that is none', { port: 'x' as never }, /^port must be a whole number from 0 to 65535, got "x"$/],
  ['an address of the net', { address: '0.0.0.0' }, /listens on loopback only, got address 0\.0\.0\.0/],
  ['data that is a file', { dir: import.meta.filename }, /^data \S+ cannot be a folder: \S+ is a file$/],
  ['data under a file', { dir: path.join(import.meta.filename, 'a/b') }, /: \S+\.test\.ts is a file$/],
])('refuses %s', async (_, where, message) => {
  await expect(judgeConfig({ signIn: 'dev' }, { ...place, ...where })).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringMatching(message),
  })
})
