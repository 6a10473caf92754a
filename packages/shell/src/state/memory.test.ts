import { describe, expect, it } from 'vitest'
import { openMemory, type Shelf } from './memory.ts'

const shelfOf = (things: Record<string, string> = {}): Shelf => ({
  getItem: (name) => things[name] ?? null,
  setItem(name, value) {
    things[name] = value
  },
  removeItem(name) {
    delete things[name]
  },
})

const shut: Shelf = {
  getItem() {
    throw new Error('shut')
  },
  setItem() {
    throw new Error('shut')
  },
  removeItem() {
    throw new Error('shut')
  },
}

describe('memory', () => {
  it('keeps places and the name', () => {
    const shelf = shelfOf()
    const place = { x: 1, y: 2, over: true, minimised: true, maximised: false }
    openMemory(shelf).keepPlaces(new Map([['w', place]]))
    openMemory(shelf).keepUser('dev')
    expect(openMemory(shelf).places).toEqual(new Map([['w', place]]))
    expect(openMemory(shelf).user).toBe('dev')
    openMemory(shelf).keepUser(null)
    expect(openMemory(shelf).user).toBeNull()
  })

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['half a place', '{"w":{"x":1,"y":2}}'],
    ['no number', '{"w":{"x":"1","y":2,"over":false,"minimised":false,"maximised":false}}'],
    ['an infinite number', '{"w":{"x":1e400,"y":2,"over":false,"minimised":false,"maximised":false}}'],
  ])('takes nothing from %s', (_, text) => {
    expect(openMemory(shelfOf({ 'svc.places': text })).places.size).toBe(0)
  })

  it('remembers nothing on a shelf that is shut', () => {
    const memory = openMemory(shut)
    memory.keepUser('dev')
    memory.keepPlaces(new Map())
    expect([memory.user, memory.places.size]).toEqual([null, 0])
  })
})
