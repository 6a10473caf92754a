import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { sayingModel } from '../../../testing/run-model.ts'
import { failed, messagesOf, openRouteHost, ROUTES } from '../../../testing/session-routes.ts'

const AGENT = `${ROUTES}/agent`
const RUN_ID = '0b3f8f3e-6d4c-4a53-9c7e-1f2a3b4c5d6e'
const body = { content: 'hi', run_id: RUN_ID }

verifies(
  ['session.quota.code', 'errors.session.by_name'],
  'a used-up quota is told before a stream begins',
  async () => {
    const services = await openRouteHost({ quotas: { runs_per_day: 1 } })
    const { token: bearer } = await services.make()
    await messagesOf(await services.send(AGENT, { bearer, body }))
    const full = await services.send(AGENT, { bearer, body: { content: 'more' } })
    expect(full).toMatchObject(failed(429, 'APP_QUOTA_EXCEEDED'))
    expect(full.body.error.details).not.toHaveProperty('rpc_code')
    await services.close()
  },
)

verifies(
  ['run.attachments.vision', 'errors.session.by_name', 'stream.error'],
  'a model that sees no images fails the run within its stream, and no status says so',
  async () => {
    const services = await openRouteHost({
      models: { default: { model: sayingModel('a').model, vision: false } },
    })
    const { token: bearer } = await services.make()
    const attachments = [{ type: 'image/png', data: 'iVBORw0KGgo=' }]
    const got = await services.send(AGENT, { bearer, body: { ...body, attachments } })
    expect(got.status).toBe(200)
    expect((await messagesOf(got)).slice(-3).map(({ data }) => data)).toMatchObject([
      { event: 'error', errorCode: 'APP_MODEL_NOT_VISION_CAPABLE' },
      { event: 'end', run_id: RUN_ID },
      { run_id: RUN_ID, aborted: false },
    ])
    await services.close()
  },
)

verifies(
  ['wall.body.run', 'route.agent.body'],
  'a long body is read as the call endpoint reads it',
  async () => {
    const sizes = { RPC_BODY_MAX_BYTES: 2_000, RUN_BODY_MAX_BYTES: 100_000 }
    const services = await openRouteHost({ limits: sizes })
    const { token: bearer } = await services.make()
    const long = (bytes: number) => {
      const data = Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(bytes)]).toString(
        'base64',
      )
      return { ...body, attachments: [{ type: 'image/png', data }] }
    }
    const got = await services.send(AGENT, { bearer, body: long(20_000) })
    expect([got.status, (await messagesOf(got)).at(-1)?.event]).toEqual([200, 'complete'])
    for (const headers of [{}, { 'content-length': '100001' }])
      expect(await services.send(AGENT, { bearer, body: long(100_000), headers })).toMatchObject(
        failed(413, 'invalid_arg'),
      )
    const bad = { ...long(20_000), more: Array(20_000).fill(0) }
    expect(await services.send(AGENT, { bearer, body: bad })).toMatchObject(failed(400, 'invalid_arg'))
    expect(await services.send(AGENT, { bearer, body: JSON.stringify('x'.repeat(3_000)) })).toMatchObject(
      failed(400, 'invalid_arg'),
    )
    expect(await services.send(AGENT, { bearer: 'x.y.z', body: long(20_000) })).toMatchObject(
      failed(401, 'invalid_token'),
    )
    await services.close()
  },
)
