import { expect, it } from 'vitest'
import { runUnderWay } from './show-history.ts'

const said = (...pairs: readonly string[]) =>
  pairs.map((pair) => {
    const [run_id = '', role = ''] = pair.split(' ')
    return { run_id, role: role as 'user' | 'assistant' | 'tool', content: '' }
  })

it.each([
  ['nothing was said and nothing asked', [], undefined, null],
  ['it was asked and is not written down yet', ['a user', 'a assistant'], 'b', 'b'],
  ['it was asked and has begun', ['a user', 'a assistant', 'b user'], 'b', 'b'],
  ['it was asked and answered, so reading it again shows the same', ['a user', 'a assistant'], 'a', 'a'],
  ['another window asked after it', ['a user', 'a assistant', 'b user'], 'a', 'b'],
  [
    'another window asked after it and was answered',
    ['a user', 'a assistant', 'b user', 'b assistant'],
    'a',
    null,
  ],
  ['another window asked, and a tool has answered', ['b user', 'b assistant', 'b tool'], undefined, 'b'],
  ['all is answered', ['a user', 'a assistant'], undefined, null],
])('%s', (_name, messages, asked, run) => {
  expect(runUnderWay(said(...messages), asked)).toBe(run)
})
