import { verifies } from '@svc/conformance/verifies'
import type { Refusal } from '@svc/contract'
import { memoryStore } from '@svc/state'
import { describe, expect } from 'vitest'
import { type UserRow, users } from '../../catalog/records.ts'
import {
  BlockedRefusal,
  checkSignedIn,
  checkSignedInCopy,
  checkUnblocked,
  isShutOut,
  removedId,
  removedUsers,
  signOutsOf,
} from './sign-in.ts'

/** A host with ada's row, where there is one, and ada removed or not. */
async function services(row: Partial<UserRow> | null, isRemoved = false) {
  const store = memoryStore()
  if (row) await store.insert(users, 'ada', { created_at: 1, ...row })
  if (isRemoved) await store.insert(removedUsers, removedId('ada'), { removed_at: 2 })
  return { store, copies: { users: { get: (id: string) => store.get(users, id) } } as never }
}
const codeOf = async (work: Promise<unknown>) => {
  try {
    await work
    return 'let through'
  } catch (error) {
    return error instanceof BlockedRefusal ? `blocked ${error.userId}` : (error as Refusal).code
  }
}

/** Written by hand: ada's row, removed or not, how often she had signed out; what each of three asks comes to. */
describe('what is written for a user, or begun', () => {
  verifies.each('user.block.meanwhile')<[string, Partial<UserRow> | null, boolean, number, string[]]>([
    ['who is there', {}, false, 0, ['let through', 'let through', 'let through']],
    ['who was blocked', { blocked_at: 5 }, false, 0, Array(3).fill('blocked ada')],
    [
      'who signed out everywhere',
      { sign_outs: 1 },
      false,
      0,
      ['let through', ...Array(2).fill('invalid_token')],
    ],
    ['who had signed out before', { sign_outs: 1 }, false, 1, ['let through', 'let through', 'let through']],
    ['who was removed', null, true, 0, ['blocked ada', 'blocked ada', 'invalid_token']],
    ['whom nobody knows', null, false, 0, ['let through', 'let through', 'invalid_token']],
  ])('by one %s', async (_name, row, isRemoved, before, expected) => {
    const at = await services(row, isRemoved)
    expect([
      await codeOf(checkUnblocked(at, 'ada')),
      await codeOf(checkSignedIn(at, 'ada', before)),
      await codeOf(checkSignedInCopy(at, 'ada', before)),
    ]).toEqual(expected)
    expect(await isShutOut(at, 'ada')).toBe(expected[0] !== 'let through')
  })

  verifies('user.block.refused', 'by a blocked one is refused with what denies it', async () => {
    await expect(checkUnblocked(await services({ blocked_at: 5 }), 'ada')).rejects.toMatchObject({
      code: 'permission_denied',
      details: { denied_by: 'blocked', hint: 'Ask the operator of this host.' },
    })
  })

  verifies('user.block.meanwhile', 'is not taken for shut out where the store fails', async () => {
    const at = await services({})
    await at.store.close()
    await expect(isShutOut(at, 'ada')).rejects.not.toBeInstanceOf(BlockedRefusal)
  })

  verifies('user.block.meanwhile', 'finds the record, or that there is none', async () => {
    expect(await checkUnblocked(await services({ sign_outs: 3 }), 'ada')).toMatchObject({
      row: { sign_outs: 3 },
    })
    expect(await checkUnblocked(await services(null), 'ada')).toBeNull()
    expect([signOutsOf(null), signOutsOf(await checkUnblocked(await services({}), 'ada'))]).toEqual([0, 0])
  })
})
