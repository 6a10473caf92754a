import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { named, tool, weather } from '../../testing/publishing.ts'
import { handRunners, readyRunner } from '../../testing/runners.ts'
import { refusal } from '../../testing/services.ts'
import { BOTH, openToolBed } from '../../testing/session-tools.ts'

/** Ada's tool bed, with runners of hers and bob's, and a plugin of each. */
async function open() {
  const runners = handRunners()
  const bed = await openToolBed({}, { runners })
  for (const user of ['ada', 'bob']) runners.connect(user, readyRunner('forecast'))
  const publish = async (user: string, body = {}) =>
    (await bed.services.publishing.create(user, { ...named, ...tool, ...body })).tool_id
  const ids = {
    own: await publish('ada'),
    public: await publish('bob', { visibility: 'public' }),
    private: await publish('bob'),
  }
  await bed.services.clock.advance(0)
  const fixed = (fixedClientId: string) => bed.session({ submode: 'fixed', fixedClientId })
  return { ...bed, bed, ids, fixed }
}

verifies(
  ['session.create.fixed.any', 'session.tools.fixed'],
  'a fixed client is a plugin of the user, whether or not the app declares it',
  async () => {
    const { bed, ids, fixed } = await open()
    const session = await fixed(ids.own)
    expect((await bed.tools(session)).map(({ name }) => name)).toEqual([`${ids.own}__forecast`])
    expect(await bed.call(session, `${ids.own}__forecast`)).toEqual({
      output: { version: expect.stringMatching(/^1\.0\.0\+live\./) },
    })
    // Declared by a draft it is the same plugin, as the app has it.
    await bed.push({ host_api: { agent: { session: BOTH } }, required_plugs: [ids.own] })
    expect(await bed.call(session, `${ids.own}__forecast`)).toEqual({
      output: { version: expect.stringMatching(/^1\.0\.0\+live\./) },
    })
    await bed.services.publishing.remove('ada', ids.own)
    expect(await bed.tools(session)).toEqual([])
  },
)

verifies(
  ['session.create.fixed.any', 'plug.reach.hidden'],
  'a plugin of another user is none, declared or not, public or not',
  async () => {
    const { bed, ids, fixed } = await open()
    const nobody = `tool-bob-weather-${'0'.repeat(26)}`
    const said = async (id: string) => (await refusal(fixed(id))).replace(id, nobody)
    const absent = await said(nobody)
    expect(absent).toMatch(/^permission_denied: this user has no plugin/)
    expect(await said(ids.public)).toBe(absent)
    expect(await said(ids.private)).toBe(absent)
    await bed.push({
      host_api: { agent: { session: BOTH } },
      required_plugs: [ids.public, ids.private, nobody],
    })
    expect(await said(ids.public)).toBe(absent)
    expect(await said(ids.private)).toBe(absent)
  },
)

verifies(
  'session.tools.auto.plugins',
  'an auto session has the tools of published plugins that its app declares and its user agreed to',
  async () => {
    const { bed, ids } = await open()
    await bed.push({ host_api: { agent: { session: BOTH } }, required_plugs: [ids.public, ids.private] })
    const session = await bed.session()
    const names = async () =>
      (await bed.tools(session)).map(({ name }) => name).filter((name) => name.startsWith('tool-'))
    const agree = (version: string) =>
      bed.services.apps.agree('ada', bed.windowUuid, { tool_id: ids.public, version, answer: 'always' })
    expect(await names()).toEqual([])
    await agree('1.0.0')
    expect(await names()).toEqual([`${ids.public}__forecast`])
    await bed.services.publishing.publish('bob', ids.public, { manifest: weather('Better.') })
    expect(await names()).toEqual([])
    await agree('1.0.1')
    expect(await bed.call(session, `${ids.public}__forecast`)).toEqual({ output: { version: '1.0.1' } })
    await bed.services.publishing.edit('bob', ids.public, { visibility: 'private' })
    expect(await names()).toEqual([])
  },
)
