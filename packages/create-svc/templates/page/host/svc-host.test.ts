import { afterAll, expect, it } from 'vitest'
import { listApps, openHost } from './svc-host.ts'

const host = openHost()
afterAll(() => host.close())

const at = (path: string) => new Request(`http://127.0.0.1${path}`, { headers: { host: '127.0.0.1' } })

it('has the app of this project', async () => {
  expect(await listApps(host)).toMatchObject([{ name: 'Counter' }])
})

it('lets the page ask under its path', async () => {
  const response = await host.fetch(at('/svc/api/v1/auth/whoami'))
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('you')])
})
