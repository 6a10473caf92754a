import { expect, it } from 'vitest'
import type { Needs } from './needs.ts'
import { neededNames, needsSentence } from './needs-text.ts'

it.each<[Needs, string]>([
  [{}, ''],
  [{ args: [], env: {} }, ''],
  [{ args: ['--stdio'] }, 'It is started with the argument "--stdio".'],
  [
    { args: ['--root', '${ROOT}', 'in ${ROOT}'], cwd: '${ROOT}', env: { ROOT: {}, LEVEL: 'low' } },
    'It is started with the arguments "--root", what you give as ROOT and "in " followed by what you give as ROOT, in what you give as ROOT, with the variable LEVEL set to "low". It needs from you ROOT.',
  ],
  [
    {
      env: {
        KEY: { secret: true, required: true, description: 'the key of your account' },
        CITY: { description: 'where you are', default: 'Rome' },
        AREA: {},
        MODE: { required: true, default: 'x' },
      },
    },
    'It needs from you KEY ("the key of your account"). You may give it CITY ("where you are"), AREA and MODE.',
  ],
  [
    { env: { A: 'a', B: '${HOME}' } },
    'It is started with the variables A set to "a" and B set to your home folder.',
  ],
  [
    { args: ['${ROOT}'], env: { ROOT: {}, FILE: '${ROOT}/a.json' } },
    'It is started with what you give as ROOT as its argument, with the variable FILE set to what you give as ROOT followed by "/a.json". It needs from you ROOT.',
  ],
  [
    { args: ['${FILE}', '$${FILE}'], env: { FILE: 'a' } },
    'It is started with the arguments the variable FILE and "${FILE}", with the variable FILE set to "a".',
  ],
  [{ args: [''] }, 'It is started with the argument "".'],
  // What turns a text around is shown as such.
  [{ args: ['a\u202eb'] }, 'It is started with the argument "a\\u202eb".'],
])('%j: %s', (needs, sentence) => {
  expect(needsSentence(needs)).toBe(sentence)
})

it.each<[Needs, string[]]>([
  [{ env: { A: { required: true }, B: {}, C: { required: true, default: '' } } }, ['A']],
  [{ env: { A: {} }, reach: { folders: [{ path: '${A}/b', access: 'read' }] } }, ['A']],
  [{ env: { A: {} }, cwd: '${HOME}/${A}' }, ['A']],
])('of %j its user must give %j', (needs, names) => {
  expect(neededNames(needs)).toEqual(names)
})
