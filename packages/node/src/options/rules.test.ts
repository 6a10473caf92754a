import { expect, it } from 'vitest'
import {
  address,
  between,
  fn,
  having,
  judgeOptions,
  list,
  OptionError,
  object,
  oneOf,
  optionProblem,
  orNull,
  port,
  type Rule,
  record,
  secret,
  serversRule,
  text,
  url,
  whole,
} from './index.ts'

class Clock {
  now() {}
}
const pair = object({ name: text, size: whole(1, 9) }, 'name')

it.each<[Rule, unknown]>([
  [port, 0],
  [port, 65_535],
  [address, '::1'],
  [address, 'localhost'],
  [between(0, 1), 0.5],
  [having('now'), new Clock()],
  [having('now'), { now: () => 0 }],
  [list(text), []],
  [record(text), { any: 'a' }],
  [orNull(text), null],
  [pair, { name: 'a', size: undefined }],
  [fn, class {}],
])('%#: takes what is right', (rule, value) => {
  expect(optionProblem(rule, value, 'it')).toBeNull()
})

it.each<[Rule, unknown, string]>([
  [having('now'), {}, 'it must be an object with the methods now, got an object'],
  [
    having('now', 'later', 'end'),
    { now() {}, end: 1 },
    'it must be an object with the methods now, later, end, got an object without later, end',
  ],
  [port, '8787', 'it must be a whole number from 0 to 65535, got "8787"; write 8787 without quotes'],
  [port, '65536', 'it must be a whole number from 0 to 65535, got "65536"'],
  [port, 1.5, 'it must be a whole number from 0 to 65535, got 1.5'],
  [port, null, 'it must be a whole number from 0 to 65535, got null'],
  [port, 7n, 'it must be a whole number from 0 to 65535, got 7'],
  [port, Symbol('a'), 'it must be a whole number from 0 to 65535, got a symbol'],
  [
    address,
    '10.0.0.1:80',
    'it must be an address of this machine such as 127.0.0.1, 0.0.0.0 or localhost, got "10.0.0.1:80"',
  ],
  [whole(1), -1, 'it must be a whole number of at least 1, got -1'],
  [oneOf('a', 'b', 'c'), 'xyz', 'it must be "a", "b" or "c", got "xyz"'],
  [oneOf('power', 'process'), 'Power', 'it must be "power" or "process", got "Power"; did you mean `power`?'],
  [list(text), ['a', ''], 'it[1] must be a text that is not empty, got ""'],
  [list(text), { 0: 'a' }, 'it must be a list, got an object'],
  [record(text), ['a'], 'it must be an object, got a list'],
  [record(text), { a: 1 }, 'it.a must be a text that is not empty, got 1'],
  [pair, 'a', 'it must be an object with name, size, got "a"'],
  [pair, {}, 'it.name must be a text that is not empty, got nothing'],
  [pair, { name: 'a', siez: 1 }, 'unknown option `it.siez`; did you mean `size`?'],
  [pair, { name: 'a', other: 1 }, 'unknown option `it.other`; there are name, size'],
  [
    pair,
    { name: 'a', __proto__: null, constructor: 1 },
    'unknown option `it.constructor`; there are name, size',
  ],
  [text, 'x'.repeat(99), ''],
  [secret(text), 7, 'it must be a text that is not empty, got a number'],
  [secret(oneOf('hidden')), 'hiden', 'it must be "hidden", got 5 characters'],
  [secret(port), '80', 'it must be a whole number from 0 to 65535, got 2 characters'],
  [
    url('http://a.b', 'http:'),
    'ftp://u:hid/den@a.b?password=hidden',
    'it must be a URL such as http://a.b, got "ftp://…@a.b?password=…"',
  ],
  [
    url('http://a.b', 'http:'),
    `x${'y'.repeat(99)}`,
    `it must be a URL such as http://a.b, got "x${'y'.repeat(59)}…"`,
  ],
  [
    (value) => Reflect.get(value as object, 'a'),
    {
      get a() {
        throw new Error('boom')
      },
    },
    'the options could not be read: boom',
  ],
])('%#: says what is wrong', (rule, value, sentence) => {
  expect(optionProblem(rule, value, 'it')).toBe(sentence === '' ? null : sentence)
})

it('throws it with the name of the function', () => {
  expect(() => judgeOptions('open', pair, { name: 1 })).toThrow(
    new OptionError('open: name must be a text that is not empty, got 1'),
  )
})

const servers = { postgres: 'postgres://u:hidden@h/svc', redis: 'redis://:hidden@h' }

it.each<[object, string]>([
  [
    { peers: { address: '0.0.0.0' } },
    'data.peers.url must say where the others reach this host: it listens on 0.0.0.0',
  ],
  [
    { peers: { url: 'https://10.0.0.1:9000' } },
    'data.peers.url must be a URL such as http://10.0.0.5:8788, got "https://10.0.0.1:9000"',
  ],
])('servers %j', (given, sentence) => {
  expect(optionProblem(serversRule, { ...servers, ...given }, 'data')).toBe(sentence)
})
