import { createHash } from 'node:crypto'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { API, openRoutes } from '../testing/routes.ts'
import { runners } from './runner-row.ts'

const RUNNERS = `${API}/runners`
const TOKEN = /^svcr_[0-9a-hjkmnp-tv-z]{26}$/
const enrol = (name: unknown) => ({ method: 'POST', body: { name } })

describe('enrolling a machine', () => {
  verifies(
    ['route.runners', 'runner.token.hashed', 'wall.runner.token'],
    'tells its token once',
    async () => {
      const { send, services } = await openRoutes()
      const { status, json } = await send(RUNNERS, enrol('A laptop'))
      expect([status, json]).toEqual([
        200,
        { runner_id: expect.stringMatching(/^rnr_/), token: expect.stringMatching(TOKEN) },
      ])
      const listed = await send(RUNNERS)
      expect(listed.json).toEqual({
        runners: [
          {
            runner_id: json.runner_id,
            name: 'A laptop',
            state: 'offline',
            machine: null,
            slots: { jobs: 3, jobs_running: 0, calls_busy: 0 },
            created_at: '2026-01-01T00:00:00.000Z',
            last_seen_at: null,
          },
        ],
      })
      const { rows } = await services.store.scan(runners, 'byUser', { eq: ['ada'], limit: 10 })
      expect(JSON.stringify([rows, listed.json])).not.toContain(json.token)
      expect(rows[0]?.row.token_hash).toBe(createHash('sha256').update(json.token).digest('hex'))
    },
  )

  verifies('runner.enrol.cap', 'twenty at once are sixteen, and a revoked one makes room', async () => {
    const { send } = await openRoutes()
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => send(RUNNERS, enrol(`m${at}`))))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(16)
    const refused = all.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['quota_exceeded']))
    expect(refused[0]?.json.error.details.hint).toContain('Revoke')
    const { json } = await send(RUNNERS)
    expect(json.runners).toHaveLength(16)
    await send(`${RUNNERS}/${json.runners[0].runner_id}`, { method: 'DELETE' })
    expect((await send(RUNNERS, enrol('one more'))).status).toBe(200)
  })

  it.each([
    ['  A laptop\n', 'A laptop'],
    [` ${'x'.repeat(80)} `, 'x'.repeat(80)],
  ])('takes the name %j without what stands around it', async (name, kept) => {
    const { send } = await openRoutes()
    expect((await send(RUNNERS, enrol(name))).status).toBe(200)
    expect((await send(RUNNERS)).json.runners).toMatchObject([{ name: kept }])
  })

  it.each([[undefined], [''], ['  '], ['\t\u00a0\n'], ['\u200b'], [7], ['x'.repeat(81)], [null]])(
    'refuses the name %j',
    async (name) => {
      const { send } = await openRoutes()
      expect(await send(RUNNERS, enrol(name))).toMatchObject({ status: 400, code: 'invalid_arg' })
    },
  )

  verifies('runner.own', "another user's machine reads like none", async () => {
    const { send, login } = await openRoutes()
    const { json } = await send(RUNNERS, enrol('A laptop'))
    const cookie = await login('bob')
    expect((await send(RUNNERS, { cookie })).json).toEqual({ runners: [] })
    const ofAnother = await send(`${RUNNERS}/${json.runner_id}`, { method: 'DELETE', cookie })
    const ofNobody = await send(`${RUNNERS}/rnr_nobody`, { method: 'DELETE', cookie })
    const said = (one: typeof ofAnother) => [one.status, one.code, one.json.error.message.replace(/".*"/, '')]
    expect(said(ofAnother)).toEqual(said(ofNobody))
    expect(said(ofAnother)[0]).toBe(404)
    expect((await send(RUNNERS)).json.runners).toHaveLength(1)
  })

  it('takes neither a call without a sign-in nor one from another page', async () => {
    const { send } = await openRoutes()
    expect((await send(RUNNERS, { cookie: null })).status).toBe(401)
    const headers = { origin: 'https://evil.example' }
    expect((await send(RUNNERS, { ...enrol('x'), headers })).status).toBe(403)
    expect((await send(`${RUNNERS}/rnr_x`, { method: 'DELETE', headers })).status).toBe(403)
  })

  verifies('wall.runner.token', 'a token that was revoked is refused, and revoked once', async () => {
    const { send, services } = await openRoutes()
    const { json } = await send(RUNNERS, enrol('A laptop'))
    const path = `${RUNNERS}/${json.runner_id}`
    const both = await Promise.all([send(path, { method: 'DELETE' }), send(path, { method: 'DELETE' })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(await services.store.get(runners, json.runner_id)).toBeNull()
    expect((await send(RUNNERS)).json).toEqual({ runners: [] })
  })
})
