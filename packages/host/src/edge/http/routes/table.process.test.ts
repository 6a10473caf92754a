import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { verifies } from '@svc/conformance/verifies'
import { routeRows, routes as table } from '@svc/contract/routes'
import { archiveTypes } from '@svc/node/archive'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHost } from '../../../create-host.ts'
import { openRoutes } from '../../../testing/routes.ts'

/** What the fronts answer themselves, before the routes that are registered. */
const hot = ['calls.rpc', 'calls.socket', 'calls.events', 'runners.connect']
const rows = routeRows()

const host = createHost({ runner: null })
let url = ''
beforeAll(async () => {
  ;({ url } = await host.listen(0))
})
afterAll(() => host.close())

/** A route without the names of its parameters; the path behind a digest is all that is left of it. */
const placeOf = (method: string, path: string) =>
  `${method} ${path.replaceAll(/:\w+|\{\w+\}/g, '{}').replace(/\/bundles\/\*$/, '/bundles/{}/{}')}`

verifies('route.table', 'the table has every route that is registered, and no other', async () => {
  const { routes } = await openRoutes()
  const registered = routes.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => placeOf(method, path))
  const told = rows
    .filter(([name]) => !hot.includes(name))
    .map(([, { method, path }]) => placeOf(method, path))
  expect([...new Set(registered)].sort()).toEqual(told.sort())
})

test('a push may be every archive that is read', () => {
  expect([...table['apps.push'].bodyTypes].sort()).toEqual([...archiveTypes].sort())
})

verifies.each('route.table')(rows.filter(([name]) => hot.includes(name)))(
  'the fronts answer %s themselves',
  async (_name, { method, path, status }) => {
    const headers = {
      origin: url,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(status === 101 && { connection: 'upgrade', upgrade: 'websocket' }),
    }
    const sent = request(url + path, { method, headers }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(401)
    expect(await json(answer)).toMatchObject({ error: { code: 'invalid_token' } })
  },
)
