import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import type { Answer } from './answer.ts'
import { openDoubt } from './doubt.ts'

const meant = '{"jsonrpc":"2.0","id":"a","result":NaN}'

verifies.each('decision.lines.meant')([
  ['a banner, at once', 'Ready', 'nothing', ['noise'], []],
  ['a line that was meant, where no right answer comes', meant, 'the time', [], ['has NaN as a value']],
  ['a line that looks as if, once a right answer comes', meant, 'an answer', ['noise'], []],
])('is noise or an answer, and not both: %s', (_, line, then, noise, failed) => {
  const told: string[] = []
  const fails: string[] = []
  let end = () => {}
  const soon = (call: () => void) => {
    end = call
  }
  const doubt = openDoubt('notes', soon, (answer: Answer) => {
    fails.push(answer.kind === 'meant' ? answer.line.what.replace(/;.*/, '') : answer.kind)
    doubt.clear()
  })
  doubt.look(Buffer.from(line), 'a', () => told.push('noise'))
  if (then === 'an answer') doubt.clear()
  end()
  expect([told, fails]).toEqual([noise, failed])
})
