import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readRunnerToken } from './runner-token.ts'

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
