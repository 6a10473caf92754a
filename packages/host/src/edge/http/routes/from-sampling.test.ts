import { verifies } from '@svc/conformance/verifies'
import { routes } from '@svc/contract/routes'
import { BusError } from '@svc/state'
import { describe, expect, test } from 'vitest'
import { type CallSide, openAskBed } from '../../../testing/asking.ts'
import { routesOver } from '../../../testing/routes.ts'

const { path: PATH } = routes['sessions.fromSampling']

const ORDER = { kind: 'agent', agent_submode: 'auto', label: 'Talk' }

/** A test bed of plugins, and what the route answers to who shows the token of a call, or something else. */
async function open() {
  const bed = await openAskBed()
  const { send } = await routesOver(bed.services)
  const nobody = { cookie: null, headers: { origin: null } }
  const post = (body: unknown, sent: object = nobody) => send(PATH, { method: 'POST', body, ...sent })
  const show = ({ token }: CallSide, order: object = ORDER) => post({ sampling_token: token, ...order })
  return { bed, post, show, send }
}

verifies(
  ['route.from_sampling', 'token.session.not_in_browser'],
  'the sampling token of a call makes a session of its plugin, without cookie, Origin and token',
  async () => {
    const { bed, show } = await open()
    await bed.within(async (side) => {
      const { status, json, headers } = await show(side)
      expect([status, json]).toMatchObject([200, { kind: 'agent', submode: 'auto', label: 'Talk' }])
      expect(JSON.stringify(json)).not.toMatch(/eyJ|token/)
      expect(headers.get('cache-control')).toBe('no-store')
      const { app_session_uuid } = json
      expect(await side.ask('agent/session.run', { app_session_uuid, text: 'hi' })).toHaveProperty('result')
    })
  },
)

describe('it makes nothing', () => {
  const refused = (name: string) => ({ json: { error: { name, code: name, message: expect.any(String) } } })

  verifies('route.from_sampling', 'once the call has ended, and for who shows something else', async () => {
    const { bed, post, show } = await open()
    const ended = await bed.within((side) => side)
    expect(await show(ended)).toMatchObject({ status: 401, ...refused('invalid_token') })
    const { token } = await bed.services.windows.open('ada', { app_id: bed.appId })
    for (const sampling_token of [undefined, null, 7, '', 'smp_x', [ended.token], token])
      expect(await post({ ...ORDER, sampling_token })).toMatchObject({
        status: 401,
        ...refused('invalid_token'),
      })
    for (const sent of [{}, { headers: { authorization: `Bearer ${token}` } }])
      expect(await post(ORDER, sent)).toMatchObject({ status: 401, ...refused('invalid_token') })
  })

  test('for tokens that name no host, without asking any', async () => {
    const { bed, post } = await open()
    const asked: string[] = []
    bed.services.bus.ask = async (hostId) => {
      asked.push(hostId)
      throw new BusError('no_host', 'none')
    }
    for (const hostId of ['\0', 'a b', 'h'.repeat(10_000), "'", ''])
      expect(await post({ ...ORDER, sampling_token: `smp_x.${hostId}` })).toMatchObject({
        status: 401,
        ...refused('invalid_token'),
      })
    expect(asked).toEqual([])
    await post({ ...ORDER, sampling_token: 'smp_x.host_y' })
    expect(asked).toEqual(['host_y'])
  })

  verifies.each(['route.from_sampling', 'manifest.plugin.host_capabilities'])([
    ['of another kind', { kind: 'other' }, 400, 'invalid_arg'],
    ['without a submode', { kind: 'agent' }, 400, 'invalid_arg'],
    ['with a prompt with tokens', { ...ORDER, system_prompt: '[INST]' }, 400, 'APP_INVALID_REQUEST'],
    ['that its plugin does not declare', { kind: 'complete' }, 403, 'permission_denied'],
  ])('%s', async (_name, order, status, name) => {
    const { bed, show } = await open()
    const work = async (side: CallSide) =>
      expect(await show(side, order)).toMatchObject({ status, ...refused(name) })
    await bed.within(work, { capabilities: ['llm.agent.auto'] })
    expect.assertions(1)
  })

  test('of a body that is none, and at no other path', async () => {
    const { post, send } = await open()
    expect(await post('[]')).toMatchObject({ status: 400, ...refused('invalid_arg') })
    expect(await post(ORDER, { headers: { 'content-type': 'text/plain' } })).toMatchObject({
      status: 415,
      ...refused('invalid_arg'),
    })
    for (const path of [`/api/v1${PATH}`, `${PATH}/`])
      expect((await send(path, { method: 'POST', body: ORDER })).code).toBe('not_found')
  })
})
