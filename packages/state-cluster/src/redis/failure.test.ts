import { inspect } from 'node:util'
import { BusError } from '@svc/state/driver'
import { expect, it } from 'vitest'
import { openRedisBus } from './bus.ts'
import { errorOfConnection, errorOfReply } from './failure.ts'

const reply = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })

it.each([
  ['LOADING Redis is loading the dataset in memory', 'is loading its data'],
  ["READONLY You can't write against a read only replica.", 'is a replica, which takes no writes'],
  [
    "OOM command not allowed when used memory > 'maxmemory'.",
    'is out of memory: it holds as much as its maxmemory allows',
  ],
  [
    'MISCONF Redis is configured to save RDB snapshots',
    'cannot write to its disk, and takes no writes until it can',
  ],
  ['NOAUTH Authentication required.', 'does not allow this user what the bus needs'],
  [
    "NOPERM this user has no permissions to run the 'publish' command",
    'does not allow this user what the bus needs',
  ],
  ['NOREPLICAS Not enough good replicas to write.', 'has fewer replicas than it must have for writes'],
  ['BUSY Redis is busy running a script.', 'is busy with a script'],
  ['MOVED 3999 127.0.0.1:6381', 'is part of a Redis Cluster, and not a server of its own'],
])('of %s a caller is told that Redis %s', (message, cause) => {
  const expected = { code: 'unavailable', message: `Redis at h:1 ${cause}` }
  expect(errorOfReply('h:1', reply(message))).toMatchObject(expected)
  expect(errorOfConnection('h:1', reply(message))).toMatchObject(expected)
})

it('a key of another type is damage, and what nobody foresaw stays what it is', () => {
  const other = reply('ERR value is not an integer')
  expect(errorOfReply('h:1', reply('WRONGTYPE Operation against a key'))).toMatchObject({ code: 'damaged' })
  expect(errorOfReply('h:1', other)).toBe(other)
  expect(errorOfConnection('h:1', other)).toBeInstanceOf(BusError)
})

it.each(['WRONGPASS invalid username-password pair', 'ERR no such command', 'WRONGTYPE Operation'])(
  'what is told of %s has no word of the command',
  (message) => {
    const said = () => Object.assign(reply(message), { command: { name: 'auth', args: ['svc', 'sesame'] } })
    expect(inspect(errorOfReply('h:1', said()), { depth: 9 })).not.toContain('sesame')
    expect(inspect(errorOfConnection('h:1', said()), { depth: 9 })).not.toContain('sesame')
  },
)

it('a URL that cannot be read is not shown', async () => {
  const error = await openRedisBus({ url: 'redis://svc:sesa/me@h:1' }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(TypeError)
  expect(inspect(error)).not.toContain('sesa')
})
