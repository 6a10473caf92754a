import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFileWarning, readRunnerToken } from './runner-token.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-token-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const none = { file: undefined, env: {}, prompt: null }

it('takes the file before the environment, and asks last', async () => {
  const file = path.join(dir, 'token')
  writeFileSync(file, 'svcr_file\n')
  const env = { SVC_RUNNER_TOKEN: 'svcr_env' }
  const prompt = async () => 'svcr_typed'
  expect(await readRunnerToken({ file, env, prompt })).toBe('svcr_file')
  expect(await readRunnerToken({ file: undefined, env, prompt })).toBe('svcr_env')
  expect(await readRunnerToken({ ...none, prompt })).toBe('svcr_typed')
})

it('says where a token is missing or none, and never shows what was there', async () => {
  await expect(readRunnerToken(none)).rejects.toMatchObject({ kind: 'usage', message: 'there is no token' })
  const env = { SVC_RUNNER_TOKEN: 'another-secret' }
  await expect(readRunnerToken({ ...none, env })).rejects.toMatchObject({
    kind: 'config',
    message: 'SVC_RUNNER_TOKEN holds no runner token',
    hint: expect.not.stringContaining('another-secret'),
  })
  await expect(readRunnerToken({ ...none, file: path.join(dir, 'gone') })).rejects.toMatchObject({
    kind: 'config',
  })
})

it.each([
  [0o600, null],
  [0o400, null],
  [0o640, 'mode 640'],
  [0o604, 'mode 604'],
  [0o620, 'mode 620'],
])('warns of a file of mode %o: %s', async (mode, says) => {
  const file = path.join(dir, 'token')
  writeFileSync(file, 'svcr_file\n')
  chmodSync(file, mode)
  const warning = await openFileWarning(file, 'linux')
  if (says === null) expect(warning).toBeNull()
  else expect(warning).toContain(says)
  expect(await openFileWarning(file, 'win32')).toBeNull()
})
