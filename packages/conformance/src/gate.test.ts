import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { counts, judge, readCitations, readHouse } from './gate.ts'
import type { Requirement } from './requirements/row.ts'
import { requirements } from './requirements.ts'

describe('what the gate reads from a file', () => {
  it.each([
    ["verifies('a.b', 'name', () => {})", ['a.b'], 0],
    ["verifies(['a.b', 'c.d'], 'name', () => {})", ['a.b', 'c.d'], 0],
    ["verifies.each('a.b')([[1]])('name', () => {})", ['a.b'], 0],
    ["verifies.each<[number]>('a.b')([[1]])('name', () => {})", ['a.b'], 0],
    ["verifies(\n  [\n    'a.b',\n    'c.d',\n  ],\n  'name', () => {})", ['a.b', 'c.d'], 0],
    ["cites('a.b', 'c.d')", ['a.b', 'c.d'], 0],
    ['verifies(id, name, () => {})', [], 1],
    ["verifies(['a.b', ...more], 'name', () => {})", ['a.b'], 1],
    ["// verifies('a.b', 'name')\n * cites('c.d')", [], 0],
    ["recites('a.b')", [], 0],
  ])('%j', (source, ids, unreadable) => {
    const read = readCitations('x.test.ts', source)
    expect(read.citations.map((citation) => citation.id)).toEqual(ids)
    expect(read.unreadable).toHaveLength(unreadable)
  })

  it('takes a known failure for no proof', () => {
    const { citations } = readCitations('x.test.ts', "verifies.fails('a.b', 'name', () => {})")
    expect(citations).toEqual([{ id: 'a.b', file: 'x.test.ts', fails: true }])
  })
})

describe('what the gate finds wrong', () => {
  const row = (id: string, status: 'built' | 'pending', why?: string): Requirement => ({
    id,
    source: 'docs/page.md',
    sentence: 'It holds.',
    status,
    ...(why && { why }),
  })
  const cite = (id: string, fails = false) => ({ id, file: 'x.test.ts', fails })
  const nothing = {
    duplicates: [],
    withoutRow: [],
    builtUncited: [],
    pendingWithoutReason: [],
    pendingButProven: [],
  }

  it.each([
    ['all is well', [row('a', 'built'), row('b', 'pending', 'later')], [cite('a')], {}],
    ['an id stands twice', [row('a', 'built'), row('a', 'built')], [cite('a')], { duplicates: ['a'] }],
    ['a cited id has no row', [], [cite('a')], { withoutRow: ['a in x.test.ts'] }],
    ['nothing proves what is built', [row('a', 'built')], [], { builtUncited: ['a'] }],
    ['a known failure proves nothing', [row('a', 'built')], [cite('a', true)], { builtUncited: ['a'] }],
    ['a reason is missing', [row('a', 'pending')], [], { pendingWithoutReason: ['a'] }],
    ['a pending row is proven', [row('a', 'pending', 'later')], [cite('a')], { pendingButProven: ['a'] }],
    ['a pending row fails as listed', [row('a', 'pending', 'later')], [cite('a', true)], {}],
  ])('%s', (_name, rows, citations, wrong) => {
    expect(judge(rows, citations)).toEqual({ ...nothing, ...wrong })
  })
})

it('tells the count by source and in all', () => {
  const row = (source: string, status: 'built' | 'pending'): Requirement => ({
    id: source,
    source,
    sentence: 'It holds.',
    status,
    why: 'later',
  })
  const rows = [row('docs/page.md', 'built'), row('docs/a.md', 'pending'), row('docs/a.md', 'built')]
  expect(counts(rows).split('\n')).toEqual([
    'docs/a.md       1 built    1 pending',
    'docs/page.md    1 built    0 pending',
    'requirements: 2 cited, 1 pending with a reason',
  ])
})

describe('the testHost', () => {
  const testHost = readHouse(join(import.meta.dirname, '../../..'))
  const wrong = judge(requirements, testHost.citations)
  console.log(counts(requirements))

  it('has one row for each id', () => expect(wrong.duplicates).toEqual([]))
  it('cites ids as literals', () => expect(testHost.unreadable).toEqual([]))
  it('cites only what has a row', () => expect(wrong.withoutRow).toEqual([]))
  it('proves what is built', () => expect(wrong.builtUncited).toEqual([]))
  it('gives a reason for what is pending', () => expect(wrong.pendingWithoutReason).toEqual([]))
  it('calls pending only what no test proves', () => expect(wrong.pendingButProven).toEqual([]))
})
