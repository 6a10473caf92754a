import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const steady = path.join(import.meta.dirname, 'steady.ts')

it.each([
  [['--times', '0'], '--times must be a whole number from 1 to 9999, got 0'],
  [['--times', '-3'], '--times must be a whole number from 1 to 9999, got -3'],
  [['--times=1.5'], '--times must be a whole number from 1 to 9999, got 1.5'],
  [['--times', 'many'], '--times must be a whole number from 1 to 9999, got many'],
  [['--times', '10000'], '--times must be a whole number from 1 to 9999, got 10000'],
  [['--time', '3'], 'there is no option --time; the only one is --times'],
])('%j is refused before anything runs', (args, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [steady, ...args, 'a.test.ts'], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([1, '', `svc: ${sentence}\n`])
})
