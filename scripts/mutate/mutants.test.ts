import { expect, it } from 'vitest'
import { applyMutant, mutantsOf } from './mutants.ts'

const changed = (source: string) =>
  mutantsOf(source).map((mutant) => source.slice(0, mutant.from) + mutant.text + source.slice(mutant.to))

it.each([
  ['a < b', 'x(a <= b)'],
  ['a === b', 'x(a !== b)'],
  ['a && b', 'x(a || b)'],
  ['!a', 'x(a)'],
  ['true', 'x(false)'],
  ['7', 'x(8)'],
  ['0', 'x((-1))'],
  ["'word'", "x('other')"],
  ['() => a', 'x(() => undefined)'],
  ['a ? b : c', 'x(!(a) ? b : c)'],
])('changes %s', (code, expected) => {
  expect(changed(`x(${code})`)).toContain(expected)
})

it.each([
  ['a sentence', "const a = 'two words'"],
  ['a type', "type A = 'one' | 2; interface B { c: true }"],
  ['an import', "import { a } from './a.ts'; export { b } from './b.ts'"],
])('leaves %s alone', (_name, source) => {
  expect(mutantsOf(source)).toEqual([])
})

it('drops statements and results', () => {
  expect(changed('function f() { g(); return 1 }')).toEqual(
    expect.arrayContaining(['function f() { {} return 1 }', 'function f() { g(); return }']),
  )
})

it('ends the loops of a mutant', () => {
  const source = 'while (1 > 0) {}'
  const [mutant] = mutantsOf(source)
  if (!mutant) throw new Error('no mutant')
  expect(() => new Function(applyMutant(source, mutant))()).toThrow('endless')
})
