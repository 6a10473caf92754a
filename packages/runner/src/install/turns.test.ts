import { expect, it } from 'vitest'
import { openTurns } from './turns.ts'

it('lets so many go on at once, and the others in their order as turns are given back', async () => {
  const turns = openTurns(2)
  const went: string[] = []
  const take = async (name: string) => {
    const giveBack = await turns.take()
    went.push(name)
    return giveBack
  }
  const asked = ['a', 'b', 'c', 'd'].map(take)
  const [a, b] = await Promise.all(asked.slice(0, 2))
  expect(went).toEqual(['a', 'b'])
  b?.()
  ;(await asked[2])?.()
  expect(went).toEqual(['a', 'b', 'c'])
  const d = await asked[3]
  a?.()
  d?.()
  await Promise.all([take('e'), take('f')])
  expect(went).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
