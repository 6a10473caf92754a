import { describe, expect, it } from 'vitest'
import { openMemory, type PageStorage } from './memory.ts'

const storageOf = (things: Record<string, string> = {}): PageStorage => ({
  getItem: (name) => things[name] ?? null,
  setItem(name, value) {
    things[name] = value
  },
  removeItem(name) {
    delete things[name]
  },
})

const shut: PageStorage = {
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
    const storage = storageOf()
    const place = { x: 1, y: 2, over: true, minimised: true, maximised: false }
    openMemory(storage).keepPlaces(new Map([['w', place]]))
    openMemory(storage).keepUser('dev')
    expect(openMemory(storage).places).toEqual(new Map([['w', place]]))
    expect(openMemory(storage).user).toBe('dev')
    openMemory(storage).keepUser(null)
    expect(openMemory(storage).user).toBeNull()
  })

  it.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['half a place', '{"w":{"x":1,"y":2}}'],
    ['no number', '{"w":{"x":"1","y":2,"over":false,"minimised":false,"maximised":false}}'],
    ['an infinite number', '{"w":{"x":1e400,"y":2,"over":false,"minimised":false,"maximised":false}}'],
  ])('takes nothing from %s', (_, text) => {
    expect(openMemory(storageOf({ 'svc.places': text })).places.size).toBe(0)
  })

  it('remembers nothing on a storage that is shut', () => {
    const memory = openMemory(shut)
    memory.keepUser('dev')
    memory.keepPlaces(new Map())
    expect([memory.user, memory.places.size]).toEqual([null, 0])
  })
})
