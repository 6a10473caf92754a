import { verifies } from '@svc/conformance/verifies'
import { memoryStore } from '@svc/state'
import { expect, it } from 'vitest'
import { users } from '../../catalog/records.ts'
import { BlockedRefusal, removedId, removedUsers } from './sign-in.ts'
import { checkUserId, makeUser } from './users.ts'

const row = (created_at: number) => ({ created_at })

it('makes the row of a user once, and returns the one that is there', async () => {
  const store = memoryStore()
  expect((await makeUser({ store }, 'ada', row(1))).row).toEqual(row(1))
  expect((await makeUser({ store }, 'ada', row(2))).row).toEqual(row(1))
})

verifies.each('user.block.meanwhile')([[true], [false]])(
  'makes none of a user who was removed, while his row is still there: %s',
  async (hasRow) => {
    const store = memoryStore()
    if (hasRow) await store.insert(users, 'ada', row(1))
    await store.insert(removedUsers, removedId('ada'), { removed_at: 2 })
    await expect(makeUser({ store }, 'ada', row(3))).rejects.toBeInstanceOf(BlockedRefusal)
    expect((await store.get(users, 'ada'))?.row).toEqual(hasRow ? row(1) : undefined)
  },
)

verifies('user.block.meanwhile', 'takes its row back where the user is removed in that moment', async () => {
  const inner = memoryStore()
  const store: typeof inner = {
    ...inner,
    async insert(collection, id, ...rest) {
      const inserted = await inner.insert(collection, id, ...rest)
      await inner.insert(removedUsers, removedId('ada'), { removed_at: 2 })
      return inserted
    },
  }
  await expect(makeUser({ store }, 'ada', row(1))).rejects.toBeInstanceOf(BlockedRefusal)
  expect(await store.get(users, 'ada')).toBeNull()
})

it('lets nobody be the owner of the configured apps', () => {
  expect(() => checkUserId('operator')).toThrow(
    expect.objectContaining({
      code: 'invalid_arg',
      message: 'operator is the owner of the configured apps, and no user',
    }),
  )
  expect(() => checkUserId('ada')).not.toThrow()
})
