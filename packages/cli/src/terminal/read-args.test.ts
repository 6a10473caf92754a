import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { commandAfterDashes } from './after-dashes.ts'
import { readArgs, readMs } from './read-args.ts'

it('reads arguments as they stand, and out of a file', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-args-'))
  const file = path.join(dir, 'args.json')
  writeFileSync(file, '{"a": 1}')
  expect(await readArgs(`@${file}`)).toEqual({ a: 1 })
  rmSync(dir, { recursive: true })
  expect(await readArgs('{"a": 2}')).toEqual({ a: 2 })
  expect(await readArgs(undefined)).toEqual({})
})

it.each([
  ['{', 'usage', '--args is not JSON: '],
  ['[]', 'usage', '--args must be a JSON object, got an array'],
  ['null', 'usage', '--args must be a JSON object, got null'],
  ['@gone.json', 'config', 'the arguments could not be read from gone.json: '],
])('refuses the arguments %s', async (given, kind, sentence) => {
  await expect(readArgs(given)).rejects.toMatchObject({ kind, message: expect.stringContaining(sentence) })
})

it.each([
  [undefined, 65_000],
  ['1000', 1_000],
  ['90000', 90_000],
])('reads the time %s', (given, ms) => {
  expect(readMs('timeout', given, { preset: 65_000, min: 1_000, max: 90_000 })).toBe(ms)
})

it.each(['', '999', '90001', '1e4', '-1', '1.5'])('refuses the time %j', (given) => {
  expect(() => readMs('timeout', given, { preset: 1, min: 1_000, max: 90_000 })).toThrow(
    `--timeout must be a whole number of ms from 1000 to 90000, got "${given}"`,
  )
})

it('takes the command behind the dashes as it was typed', () => {
  expect(commandAfterDashes(['--json', '--', 'node', 'a.ts', '--', '--json'], '')).toEqual([
    'node',
    'a.ts',
    '--',
    '--json',
  ])
  expect(() => commandAfterDashes(['--json', '--'], 'svc plug check -- x')).toThrow('no command was named')
  expect(() => commandAfterDashes(['node', 'a.ts'], 'svc plug check -- x')).toThrow('no command was named')
})
