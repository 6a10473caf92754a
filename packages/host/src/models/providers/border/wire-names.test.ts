import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { openWireNames, wireNameOf } from './wire-names.ts'

const published = `ten_${'a'.repeat(26)}.pub_${'b'.repeat(26)}__read_file`

it.each([
  ['time_now'],
  ['A-b_9'],
  ['_x'],
  ['a'.repeat(64)],
  ['a'.repeat(65)],
  [published],
  ['weather.today'],
  ['9lives'],
  ['-dash'],
  ['été'],
  ['日本語'],
  ['a b'],
  ['a/b:c'],
  [''],
])('%j has a name that every server takes', (name) => {
  const wire = wireNameOf(name)
  expect(wire).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
  expect(wire === name).toBe(/^[A-Za-z_][\w-]{0,63}$/.test(name))
  expect(wireNameOf(name)).toBe(wire)
})

it('the end of a name that is too long can be read', () => {
  expect(wireNameOf(published)).toMatch(/^t[0-9a-f]{8}_[\w.]+__read_file$/)
})

it('names that differ in what a server does not take stay apart, and lead back', () => {
  const names = ['a.b', 'a/b', 'a b', 'a_b', published]
  const wire = openWireNames(names)
  expect(new Set(names.map(wire.wire)).size).toBe(names.length)
  expect(names.map((name) => wire.own(wire.wire(name)))).toEqual(names)
  expect([wire.isChanged, openWireNames(['a_b']).isChanged]).toEqual([true, false])
})

it('a tool that is called as the short name of another keeps its name', () => {
  const short = wireNameOf('a.b')
  for (const names of [
    ['a.b', short],
    [short, 'a.b'],
  ]) {
    const wire = openWireNames(names)
    expect(wire.wire(short)).toBe(short)
    expect(names.map((name) => wire.own(wire.wire(name)))).toEqual(names)
  }
})

it('a tool that the request does not have goes by the name that it had, and a name that nobody has stays', () => {
  const wire = openWireNames(['other'])
  expect(wire.wire(published)).toBe(wireNameOf(published))
  expect(wire.own('made_up')).toBe('made_up')
})

verifies(
  'run.tools.names',
  'a tool goes by its short name, cleaned, at most 64 characters, and unique',
  () => {
    const id = (letter: string) => `tool-${letter.repeat(32)}`
    const short = new Map([
      [`${id('a')}__read_file`, 'fs__read_file'],
      [`${id('b')}__read_file`, 'fs__read_file'],
      [`${id('a')}__files/read.v2`, 'fs__files/read.v2'],
      [`${id('c')}__${'x'.repeat(80)}`, `long__${'x'.repeat(80)}`],
    ])
    const names = openWireNames([...short.keys(), 'app_read'], (name) => short.get(name) ?? name)
    const wires = [...short.keys()].map(names.wire)
    expect(wires[0]).toBe('fs__read_file')
    expect(wires[2]).toMatch(/fs__files_read_v2$/)
    expect(new Set(wires).size).toBe(4)
    for (const wire of wires) expect(wire).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    expect(wires.map(names.own)).toEqual([...short.keys()])
    expect([names.wire('app_read'), names.own(`${id('a')}__read_file`)]).toEqual([
      'app_read',
      `${id('a')}__read_file`,
    ])
  },
)
