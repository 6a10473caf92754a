import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { areCommandParts } from './command-part.ts'
import { packageBins } from './package-bin.ts'
import { startOf } from './start.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function put(name: string, text: string): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text, { mode: 0o600 })
  return name
}

it.each([
  ['a.js', '', 'node'],
  ['a.MTS', '', 'node'],
  ['a.py', '#!/usr/bin/node', 'python3'],
  ['a', '#!/usr/bin/env node\n', 'node'],
  ['a', '#! /usr/bin/env node\r\n', 'node'],
  ['a', '#!/usr/local/bin/node\n', 'node'],
  ['a', '#!/usr/bin/env -S node --flag\n', null],
  ['a', '#!/usr/bin/node --flag\n', null],
  ['a', '#!/usr/bin/env nodejs-like\n', null],
  ['a', '#!/bin/sh\n# node\n', null],
  ['a', '#!/usr/bin/python3\n', null],
])('%s that begins with %j is started by %j', async (name, text, by) => {
  expect(await startOf(folder, put(name, text))).toEqual(by === null ? [{ in: name }] : [by, { in: name }])
  expect(statSync(join(folder, name)).mode & 0o777).toBe(by === null ? 0o700 : 0o600)
})

it.each(['#!/elsewhere/bin/python3.12\n', "#!/bin/sh\n'''exec' /a long/python \"$0\" \"$@\"\n' '''\n"])(
  'a script of a Python package that begins with %j is started by the Python of its environment',
  async (text) => {
    expect(await startOf(folder, put('e/bin/a', text), 'e/bin/python')).toEqual([
      { in: 'e/bin/python' },
      { in: 'e/bin/a' },
    ])
  },
)

it('what can be started keeps its mode, as others may use it too', async () => {
  chmodSync(join(folder, put('a', '#!/bin/sh\n')), 0o755)
  await startOf(folder, 'a')
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o755)
})

it.each(['a', 'a.js'])('a folder is not started: %s', async (name) => {
  mkdirSync(join(folder, name))
  await expect(startOf(folder, name)).rejects.toThrow('is not there')
})

it('what a link leads to outside of the install is not started', async () => {
  symlinkSync(process.execPath, join(folder, 'out'))
  await expect(startOf(folder, 'out')).rejects.toThrow('out, is not there')
  await expect(startOf(folder, put('in/file', '#!/bin/sh').replace('in/file', '../'))).rejects.toThrow(
    'is not there',
  )
})

it.each([
  ['{"name":"a","bin":"./x.js"}', [['a', 'x.js']]],
  ['{"name":"@s/a","bin":"x.js"}', [['a', 'x.js']]],
  [
    '{"bin":{"a":"./b/../c","d":"e"}}',
    [
      ['a', 'c'],
      ['d', 'e'],
    ],
  ],
  ['{"name":"a","bin":"../x"}', []],
  ['{"name":"a","bin":"/x"}', []],
  ['{"name":"a","bin":{"b":1,"":"x","c":["d"]}}', []],
  ['{"name":"a","bin":null}', []],
  ['{"name":"a"}', []],
  ['[]', []],
  ['null', []],
  ['{', []],
  ['{"name":"a","bin":"."}', []],
  ['{"name":"a","bin":"b/.."}', []],
  ['{"bin":{"a":"b\\\\..\\\\c","d\\u001b[2J":"e","f":"g\\u0000"}}', []],
  [`{"bin":{"${'a'.repeat(256)}":"x","b":"${'c'.repeat(256)}"}}`, []],
])('the executables of %s are %j', (text, bins) => expect([...packageBins(text, limits)]).toEqual(bins))

it.each([
  [['node', { in: 'a/b' }], true],
  [[{ in: 'a' }], true],
  [[], false],
  [['node', { in: '../a' }], false],
  [['node', { in: 'a/../../b' }], false],
  [['node', { in: '/a' }], false],
  [['node', { in: 1 }], false],
  [['node', null], false],
  [[''], false],
  ['node', false],
  [undefined, false],
])('%j is a command: %j', (value, is) => expect(areCommandParts(value)).toBe(is))
