import { expect, it } from 'vitest'
import { commandAfterDashes } from './after-dashes.ts'
import { readArgs, readMs } from './read-args.ts'

it('reads arguments as they stand', async () => {
  expect(await readArgs('{"a": 2}')).toEqual({ a: 2 })
  expect(await readArgs(undefined)).toEqual({})
})

it.each([
  ['{', '--args:1:2 ends too early: the { of line 1 is not closed'],
  ["{'a': 1}", '--args:1:2 has a text in \' quotes; JSON takes "double quotes"'],
  ['{a: 1}', '--args:1:2 has the name a without quotes; write "a"'],
  ['', '--args:1:1 is empty; the shortest JSON is {}'],
  ['[]', '--args must hold a JSON object, got an array'],
  ['null', '--args must hold a JSON object, got null'],
  ['@', '--args @ names no file'],
])('refuses the arguments %s', async (given, message) => {
  await expect(readArgs(given)).rejects.toMatchObject({ kind: 'usage', message })
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
