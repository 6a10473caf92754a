import type { Refusal } from '@svc/contract'
import { expect, it } from 'vitest'
import { type TestHouse, testHouse } from '../apps/test-house.ts'
import { openPluginRoom } from '../plugins/plugin-room-for-tests.ts'
import { reach } from './reach.ts'

/** How a call of ada is refused on a page of its own: code and hint. */
async function refusal(house: TestHouse, name: string): Promise<string> {
  try {
    await reach(name, { house, userId: 'ada', version: null, window: null }, () => null)
    return 'reached'
  } catch (error) {
    const { code, details } = error as Refusal
    return `${code}: ${details?.hint}`
  }
}

it('tells who has no machine online how to enrol one, and of a name that leads nowhere to look at it', async () => {
  const { house, publish } = openPluginRoom()
  const own = await publish('ada')
  const foreign = await publish('bob')
  expect(await refusal(house, own)).toMatch(
    /^agent_unavailable: Enrol a machine: .*Manage, Runners.*svc runner/,
  )
  const nobody = await refusal(house, `tool-eve-x-${'0'.repeat(26)}`)
  expect(nobody).toMatch(/^agent_unavailable: Look at the name/)
  expect(await refusal(house, foreign)).toBe(nobody)
})

it('tells of a plugin of the operator that its host has no runner, which no user can help', async () => {
  const house = testHouse({ plugins: [{ slug: 'echo', command: ['node', 'echo.ts'] }] })
  expect(await refusal(house, 'echo')).toMatch(/^agent_unavailable: The operator started this host without/)
})
