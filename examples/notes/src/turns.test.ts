import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** A note on a shelf that takes a text only over the version that it stands on, as storage does. */
function shelfOf(etag: number) {
  const shelf = { etag, text: '', conflicts: 0 }
  return {
    shelf,
    write: async (text: string, over: number) => {
      await null
      if (over !== shelf.etag) shelf.conflicts++
      else Object.assign(shelf, { text, etag: over + 1 })
      return shelf.etag
    },
  }
}

it('saves twice without being in its own way', async () => {
  const { shelf, write } = shelfOf(1)
  const turns = createTurns()
  let base = 1
  const save = (text: string) =>
    turns(async () => {
      base = await write(text, base)
    })
  await Promise.all([save('a'), save('ab'), save('abc')])
  expect(shelf).toEqual({ etag: 4, text: 'abc', conflicts: 0 })
})

it('begins a work only when the one before is over, and goes on after one that failed', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const failing = turns(() => first.promise)
  const next = turns(async () => void seen.push('next'))
  await null
  expect(seen).toEqual([])
  first.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  await next
  expect(seen).toEqual(['next'])
})

it('says when it is busy, once for all that wait', async () => {
  const said: boolean[] = []
  const turns = createTurns((busy) => void said.push(busy))
  await Promise.all([turns(async () => 1), turns(async () => 2)])
  await turns(async () => 3)
  expect(said).toEqual([true, false, true, false])
})
