import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openByOwner } from './by-owner.ts'

it('keeps of each owner what a list of all would have, in its order', () => {
  const owner = fc.constantFrom('ada', 'bob', 'eve')
  const item = fc.integer({ min: 0, max: 5 })
  const step = fc.record({ isAdded: fc.boolean(), owner, item })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const open = openByOwner<number>()
      let plain: { owner: string; item: number }[] = []
      for (const one of steps) {
        const others = plain.filter((had) => had.owner !== one.owner || had.item !== one.item)
        const isThere = others.length < plain.length
        if (one.isAdded) {
          open.add(one.owner, one.item)
          if (!isThere) plain.push(one)
        } else {
          open.remove(one.owner, one.item)
          plain = others
        }
      }
      for (const name of ['ada', 'bob', 'eve']) {
        const own = plain.filter((had) => had.owner === name).map((had) => had.item)
        expect([open.of(name), open.count(name)]).toEqual([own, own.length])
      }
      expect(open.all().length).toBe(plain.length)
    }),
  )
})
