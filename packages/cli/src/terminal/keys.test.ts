import { EventEmitter } from 'node:events'
import { pause } from '@svc/node'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { failure } from './failure.ts'
import { type Key, openKeys } from './keys.ts'

/** A terminal whose keys the test presses. */
class Terminal extends EventEmitter {
  readonly states: string[] = []
  setRawMode = (isRaw: boolean) => this.states.push(isRaw ? 'raw' : 'cooked')
  resume = () => this.states.push('flows')
  pause = () => this.states.push('rests')
  press = async (text: string) => {
    this.emit('data', Buffer.from(text))
    await pause()
  }
}

let terminal: Terminal
let said: string[]
let signals: string[]
let close: () => void
let isInFront: boolean
let working: PromiseWithResolvers<void>

beforeEach(() => {
  terminal = new Terminal()
  said = []
  signals = []
  isInFront = true
  working = Promise.withResolvers()
  const key = (name: string, run: Key['run']): Key => ({ key: name, does: `does ${name}`, run })
  close = openKeys({
    input: terminal,
    keys: [
      key('o', async () => void said.push('opened')),
      key('r', () => working.promise),
      key('f', () => Promise.reject(failure('port', 'port 1 is in use', 'Choose another.'))),
    ],
    write: (line) => said.push(line),
    signal: (name) => signals.push(name),
    isForeground: () => isInFront,
  })
})
afterEach(() => close())

it.each([
  ['o', ['opened']],
  ['O', ['opened']],
  ['x', []],
  ['\u001b[O', []],
  ['oo', []],
  ['f', ['svc: port 1 is in use', '     Choose another.']],
])('the keys %j say %j', async (pressed, wanted) => {
  await terminal.press(pressed)
  expect(said).toEqual(wanted)
})

it('h lists what each key does', async () => {
  await terminal.press('h')
  expect(said[0]?.split('\n').map((line) => line.trim())).toEqual([
    '',
    'o        does o',
    'r        does r',
    'f        does f',
    'h        lists the keys',
    '',
  ])
})

it('a key is ignored while another works', async () => {
  await terminal.press('r')
  await terminal.press('o')
  expect(said).toEqual([])
  working.resolve()
  await pause()
  await terminal.press('o')
  expect(said).toEqual(['opened'])
})

it.each([
  ['\u0003', ['SIGINT']],
  ['\u001c', ['SIGQUIT']],
  ['\u001a', ['SIGTSTP']],
])('%j is the signal that it would be without raw mode', async (pressed, wanted) => {
  await terminal.press(pressed)
  expect(signals).toEqual(wanted)
})

it('gives the terminal back while the process is stopped, and at the end', async () => {
  await terminal.press('\u001a')
  expect(terminal.states.splice(0)).toEqual(['raw', 'flows', 'rests', 'cooked'])
  process.emit('SIGCONT', 'SIGCONT')
  close()
  expect(terminal.states).toEqual(['rests', 'raw', 'flows', 'rests', 'cooked'])
  expect([terminal.listenerCount('data'), process.listenerCount('SIGCONT')]).toEqual([0, 0])
})

it('leaves the terminal alone in the background, and takes it in front again', async () => {
  await terminal.press('\u001a')
  terminal.states.length = 0
  isInFront = false
  process.emit('SIGCONT', 'SIGCONT')
  expect(terminal.states.splice(0)).toEqual(['rests'])
  isInFront = true
  process.emit('SIGCONT', 'SIGCONT')
  expect(terminal.states.splice(0)).toEqual(['rests', 'raw', 'flows'])
  // It was stopped by another than its key.
  process.emit('SIGCONT', 'SIGCONT')
  expect(terminal.states).toEqual(['rests', 'cooked', 'raw', 'flows'])
})
