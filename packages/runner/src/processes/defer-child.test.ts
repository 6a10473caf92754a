import { expect, it } from 'vitest'
import { noChild } from './child.ts'
import { deferChild } from './defer-child.ts'

const nothing = { exitCode: null, signal: null }

it('a start that throws is a failed start', async () => {
  const child = deferChild(
    async () => null,
    () => {
      throw new Error('there is no room')
    },
  )
  expect(await child.ended).toEqual({ ...nothing, problem: 'it could not be started: there is no room' })
})

it.each([
  ['says a problem', async () => 'it was changed', 'it was changed'],
  ['fails', () => Promise.reject(new Error('no disk')), 'its install could not be checked: no disk'],
])('what is looked at %s: nothing is started', async (_, look, problem) => {
  const child = deferChild(look, () => expect.fail('it was started'))
  child.onStart(() => expect.fail('it was told to be started'))
  expect(await child.ended).toEqual({ ...nothing, problem })
})

it('is started once it was looked at, and not before', async () => {
  const looked = Promise.withResolvers<null>()
  const told: string[] = []
  const started = { ...noChild('over'), onStart: (listener: () => void) => listener() }
  const child = deferChild(
    () => looked.promise,
    () => started,
  )
  child.onStart(() => told.push('started'))
  expect(told).toEqual([])
  looked.resolve(null)
  await child.ended
  child.onStart(() => told.push('at once'))
  expect(told).toEqual(['started', 'at once'])
})
