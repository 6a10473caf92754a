import type { Refusal } from '@svc/contract'
import { expect, it } from 'vitest'
import { openPluginRoom } from '../plugins/plugin-room-for-tests.ts'
import { reach } from './reach.ts'

/** How a call of ada is refused on a page of its own: code and hint. */
async function refusal(house: ReturnType<typeof openPluginRoom>['house'], name: string): Promise<string> {
  try {
    await reach(name, { house, userId: 'ada', version: null }, () => null)
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
