import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { chat } from './chat.ts'

const read = (args: unknown) => chat.append_artifact.args.safeParse(args)

verifies.each(['chat.append_artifact.wrapper', 'decision.chat.no_artifact'])([
  [{}],
  [{ kind: 'text', summary: 'flat' }],
  [{ artifact: null }],
  [{ artifact: 'text' }],
  [{ artifact: ['text'] }],
])('%j is not a card', (args) => {
  expect(read(args).success).toBe(false)
})

verifies.each('chat.append_artifact.kind')([
  ['app_event', true],
  ['text', true],
  ['image', true],
  ['a kind of tomorrow', true],
  ['', false],
  [undefined, false],
  [7, false],
])('the kind %j: %j', (kind, ok) => {
  expect(read({ artifact: { kind } }).success).toBe(ok)
})

verifies('chat.append_artifact.fields', 'a card carries what it may', () => {
  const artifact = { kind: 'text', summary: 's', data: { any: [1] }, payload_ref: 'r', app_slug: 'a' }
  expect(read({ artifact }).data).toEqual({ artifact })
})

verifies(['chat.append_artifact.payload_dropped', 'decision.chat.dropped'], 'the rest is dropped', () => {
  const args = { artifact: { kind: 'text', payload: 1, more: 2 }, kind: 'image', payload: 3 }
  expect(read(args).data).toEqual({ artifact: { kind: 'text' } })
})
