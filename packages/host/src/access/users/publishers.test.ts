import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { expect, test } from 'vitest'
import { invoke, refusalOf, scene } from '../../testing/consent.ts'

const OPERATOR = 'o'.repeat(32)
const NAMED = { name: 'Eve Ltd.', verified: true }
const UNNAMED = { name: 'eve', verified: false }

/** A host with eve's public plugin, of which ada was asked. */
async function asked() {
  const at = await scene()
  await at.services.users.ensure('eve')
  await at.services.users.ensure('bob')
  const install = async () => (await at.services.apps.installs('ada'))[0]
  const shown = async () => {
    const refusal = await refusalOf(invoke(at.context(await at.openAs()), at.toolId))
    const [listed] = (await at.services.publishing.visible('ada', { limit: 20 })).plugs
    const said = at.services.emittedOf('plug_asked').at(-1)?.payload ?? {}
    return {
      publishers: [
        (await install())?.plugs[0]?.terms?.publisher,
        listed?.publisher,
        Reflect.get(said, 'publisher'),
      ],
      sentence: refusal?.message,
    }
  }
  return { ...at, install, shown }
}

verifies('publisher.terms', 'is told wherever an author is', async () => {
  const { services, shown } = await asked()
  expect(await shown()).toEqual({
    publishers: [UNNAMED, UNNAMED, UNNAMED],
    sentence: expect.stringContaining('by eve (not verified)'),
  })
  expect(await services.users.verifyPublisher('eve', 'Eve  Ltd.')).toEqual(NAMED)
  expect(await shown()).toEqual({
    publishers: [NAMED, NAMED, NAMED],
    sentence: expect.stringContaining('by Eve Ltd. (verified by this host)'),
  })
  expect(await services.users.withdrawPublisher('eve')).toBe(true)
  expect((await shown()).publishers).toEqual([UNNAMED, UNNAMED, UNNAMED])
  expect(await services.users.withdrawPublisher('eve')).toBe(false)
})

verifies('publisher.digest', 'asks nobody again', async () => {
  const { services, install, openAs } = await asked()
  await openAs()
  const digest = async () => (await install())?.plugs[0]?.terms?.digest
  const before = await digest()
  await openAs((await install())?.asks)
  for (const name of ['Eve Ltd.', 'Eve Inc.']) {
    await services.users.verifyPublisher('eve', name)
    expect([await digest(), (await install())?.plugs[0]?.consent]).toEqual([before, 'agreed'])
  }
})

verifies(
  'publisher.unique',
  'of two users at once one gets it, and a name is free once it is another',
  async () => {
    const { services } = await asked()
    const { users } = services
    const both = await Promise.allSettled([
      users.verifyPublisher('eve', 'Acme'),
      users.verifyPublisher('bob', 'ACME.'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await users.withdrawPublisher('bob')
    await users.verifyPublisher('eve', 'Acme')
    await expect(users.verifyPublisher('bob', 'ACME')).rejects.toMatchObject({ code: 'conflict' })
    await users.verifyPublisher('eve', 'Acme Two')
    expect(await users.verifyPublisher('bob', 'Acme')).toEqual({ name: 'Acme', verified: true })
  },
)

verifies('publisher.unique', 'of two names of one user at once one is left', async () => {
  const { services } = await asked()
  const { users } = services
  await Promise.all([users.verifyPublisher('eve', 'One'), users.verifyPublisher('eve', 'Two')])
  const listed = (await services.publishing.visible('ada', { limit: 20 })).plugs[0]?.publisher?.name
  const free = listed === 'One' ? 'Two' : 'One'
  expect((await users.verifyPublisher('bob', free)).name).toBe(free)
  await users.withdrawPublisher('bob')
  await expect(users.verifyPublisher('bob', listed ?? '')).rejects.toMatchObject({ code: 'conflict' })
})

test('who is removed has no name', async () => {
  const { services } = await asked()
  await services.users.verifyPublisher('eve', 'Acme')
  await services.users.remove('eve')
  expect((await services.users.verifyPublisher('bob', 'Acme')).name).toBe('Acme')
})

verifies('publisher.operator', 'over HTTP with the token of the operator, and in the audit log', async () => {
  const at = await openTestHost({ operatorToken: OPERATOR })
  const cookie = await at.signIn('ada')
  const send = async (method: string, user: string, name?: unknown, token = OPERATOR) => {
    const answer = await at.request(`/api/v1/svc-apps/admin/users/${user}/publisher`, {
      method,
      cookie,
      headers: { authorization: `Bearer ${token}` },
      ...(name !== undefined && { body: JSON.stringify({ name }) }),
    })
    const { error, ...rest } = (await answer.json()) as { error?: { code: string } }
    return [answer.status, error?.code ?? rest]
  }
  expect(await send('PUT', 'ada', 'Acme', 'x'.repeat(32))).toEqual([403, 'permission_denied'])
  expect(await send('PUT', 'nobody', 'Acme')).toEqual([404, 'not_found'])
  expect(await send('PUT', 'ada', '')).toEqual([400, 'invalid_arg'])
  expect(await send('PUT', 'ada', 'Acme')).toEqual([200, { name: 'Acme', verified: true }])
  await at.signIn('bob')
  expect(await send('PUT', 'bob', 'ACME')).toEqual([409, 'conflict'])
  expect(await send('DELETE', 'ada')).toEqual([200, {}])
  expect(await send('DELETE', 'ada')).toEqual([404, 'not_found'])
  const log = await at.request('/api/v1/svc-apps/admin/audit', {
    headers: { authorization: `Bearer ${OPERATOR}` },
  })
  const { entries } = (await log.json()) as { entries: { what: string; target?: string; user_id: string }[] }
  expect(
    entries
      .filter(({ what }) => what.startsWith('publisher'))
      .map(({ what, user_id, target }) => [what, user_id, target]),
  ).toEqual([
    ['publisher.verify', 'operator', 'ada'],
    ['publisher.withdraw', 'operator', 'ada'],
    ['publisher.withdraw', 'operator', 'ada'],
  ])
  await at.close()
})
