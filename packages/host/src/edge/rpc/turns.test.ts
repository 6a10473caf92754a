import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openTurns } from './turns.ts'

const here = new AbortController().signal

verifies(
  'wall.body.run.apart',
  'work of one name goes one at a time, of several beside each other',
  async () => {
    const turns = openTurns()
    const log: string[] = []
    const first = Promise.withResolvers<string>()
    const work = (name: string, until: Promise<string> | string) => async () => {
      log.push(`${name} begins`)
      return until
    }
    const leaving = new AbortController()
    const all = [
      turns.take('ada', here, work('first', first.promise)),
      turns.take('ada', leaving.signal, work('gone', 'never')),
      turns.take('ada', here, work('third', '3')),
      turns.take('bob', here, work('other', 'b')),
    ]
    const settled = Promise.allSettled(all)
    await all[3]
    expect(log).toEqual(['first begins', 'other begins'])
    leaving.abort('left')
    await expect(all[1]).rejects.toBe('left')
    expect(log).toHaveLength(2)
    first.reject(new Error('broke'))
    await expect(all[0]).rejects.toThrow('broke')
    expect(await all[2]).toBe('3')
    expect(await turns.take('ada', here, work('last', '4'))).toBe('4')
    await expect(turns.take('ada', leaving.signal, work('late', 'never'))).rejects.toBe('left')
    expect(log).toEqual(['first begins', 'other begins', 'third begins', 'last begins'])
    await settled
  },
)
