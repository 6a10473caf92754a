import { expect, it } from 'vitest'
import { fillNeeds, type Needs, namesIn, wrongName } from './needs.ts'
import { folderFault, pathFault } from './reach.ts'

const given = (values: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined

it.each<[Needs, Readonly<Record<string, string>>, object]>([
  [{}, {}, {}],
  [{ args: ['a', '$', '$A', '${', '${A', '${}'] }, {}, { args: ['a', '$', '$A', '${', '${A', '${}'] }],
  [{ args: ['${A}-${A}', '$${A}'] }, { A: '1' }, { args: ['1-1', '${A}'] }],
  [{ command: ['x', '${A}'], cwd: '/${A}' }, { A: '1' }, { command: ['x', '1'], cwd: '/1' }],
  [{ env: { A: {} }, args: ['${A}'] }, { A: '' }, { env: { A: '' }, args: [''] }],
  [{ env: { A: {} } }, {}, { env: {} }],
  [{ env: { A: { default: 'd' } }, args: ['${A}'] }, {}, { env: { A: 'd' }, args: ['d'] }],
  [{ env: { A: { default: '${HOME}/d' } } }, { HOME: '/h' }, { env: { A: '/h/d' } }],
  [{ env: { A: { default: 'd' } } }, { A: 'g' }, { env: { A: 'g' } }],
  // What a user gave is no text of the author: nothing in it stands for anything else.
  [
    { env: { A: {}, B: '${A}' }, args: ['${B}'] },
    { A: '${B}$$' },
    { env: { A: '${B}$$', B: '${B}$$' }, args: ['${B}$$'] },
  ],
  [{ env: { B: '<${A}>' }, args: ['${B}'] }, { A: '1' }, { env: { B: '<1>' }, args: ['<1>'] }],
  [{ env: { A: '${A}' }, args: ['${A}'] }, { A: '1' }, { env: { A: '1' }, args: ['1'] }],
  [
    { env: { A: {} }, reach: { hosts: ['a.example'], folders: [{ path: '${A}/b', access: 'read' }] } },
    { A: '/a' },
    { env: { A: '/a' }, reach: { hosts: ['a.example'], folders: [{ path: '/a/b', access: 'read' }] } },
  ],
])('fills %j with %j', (needs, values, filled) => {
  expect(fillNeeds(needs, given(values))).toEqual({ ...filled, missing: [] })
})

it.each<[Needs, readonly string[]]>([
  [{ env: { A: { required: true } } }, ['A']],
  [{ env: { A: {} }, args: ['${A}', '${B}', '${A}'] }, ['A', 'B']],
  [{ env: { A: '${B}' } }, ['B']],
  [{ env: { A: { required: true, default: '' } } }, []],
  [{ reach: { folders: [{ path: '${A}', access: 'write' }] } }, ['A']],
  [{ cwd: '${constructor}' }, ['constructor']],
])('of %j misses %j', (needs, missing) => {
  expect(fillNeeds(needs, given({})).missing).toEqual(missing)
})

it.each([
  ['', [], null],
  ['${A}${_b1}', ['A', '_b1'], null],
  ['$${A}', [], null],
  ['${1A}', [], '${1A}'],
  ['${A:-x}', [], '${A:-x}'],
  ['${A', [], '${A'],
  ['{A}$A', [], null],
])('of %j reads %j, wrong %j', (text, names, wrong) => {
  expect([namesIn(text), wrongName(text)]).toEqual([names, wrong])
})

it.each([
  ['${A}', null],
  ['${A}/b', null],
  ['/srv/${A}', null],
  ['${A}${B}', null],
  ['${A:-/}', 'must not hold ${A:-/}'],
  ['a${A}', 'must be an absolute path'],
  ['${A}/../b', 'must not hold the folders . or ..'],
  ['/etc/${A}', 'must be a folder of data'],
  ['/proc${A}', null],
  ['$${A}', 'must be an absolute path'],
])('a folder %j: %j', (path, sentence) => {
  expect(folderFault(path) ?? 'null').toContain(sentence ?? 'null')
})

it.each([['/etc'], ['a'], ['/a/../b'], ['/a\n'], ['']])('a folder that was given may not be %j', (path) => {
  expect(pathFault(path)).not.toBeNull()
})
