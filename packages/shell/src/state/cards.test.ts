import { expect, it } from 'vitest'
import { cardOf } from './cards.ts'

const by = { id: 'a', at: 1, source: 'Notes' }

it.each([
  ['a text', { kind: 'text', summary: 'hi' }, { kind: 'text', summary: 'hi', data: '' }],
  ['markup stays text', { kind: 'text', summary: '<b>x</b>' }, { summary: '<b>x</b>' }],
  ['data becomes JSON', { kind: 'app_event', data: { n: 1 } }, { data: '{\n  "n": 1\n}' }],
  ['nothing known', { other: 1 }, { kind: 'card', summary: '', data: '' }],
  ['wrong types', { kind: 7, summary: ['a'] }, { kind: '7', summary: '[\n  "a"\n]' }],
])('reads an artifact: %s', (_, artifact, card) => {
  expect(cardOf(artifact, by)).toMatchObject({ ...by, ...card })
})

it('cuts what is too long', () => {
  const { summary } = cardOf({ summary: 'x'.repeat(5_000) }, by)
  expect(summary).toHaveLength(4_001)
  expect(summary.endsWith('…')).toBe(true)
})
