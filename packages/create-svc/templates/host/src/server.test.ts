import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openServer } from './server.ts'

const data = mkdtempSync(path.join(tmpdir(), 'svc-data-'))
let server: Awaited<ReturnType<typeof openServer>>
beforeAll(async () => {
  server = await openServer(0, data)
})
afterAll(async () => {
  await server.close()
  rmSync(data, { recursive: true })
})

const get = (path: string) => fetch(new URL(path, server.url))

it('lists the apps of the user', async () => {
  expect(await (await get('/my-apps')).json()).toMatchObject([{ name: 'Counter' }])
})

it('has the host under its path, and says who is signed in', async () => {
  const response = await get('/svc/api/v1/auth/whoami')
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('you')])
})

it('serves the page, which may frame nothing but apps', async () => {
  const response = await get('/')
  expect(await response.text()).toContain('<main')
  expect(response.headers.get('content-security-policy')).toContain('/svc/api/v1/svc-apps/bundles/')
})
