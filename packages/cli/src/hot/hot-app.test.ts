import { get } from 'node:http'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { type HotApp, openHotApp } from './hot-app.ts'

let app: TinyApp
let hot: HotApp
beforeEach(async () => {
  app = makeTinyApp('export const svc = {}')
  const nothing = () => undefined
  hot = await openHotApp(readProject(app.dir), {
    port: 0,
    onChecked: nothing,
    onThrown: nothing,
    onPublic: nothing,
  })
})
afterEach(async () => {
  await hot.close()
  app.remove()
})

const statusFor = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const path = `http://127.0.0.1:${hot.port}/__svc_base__/main.js`
    get(path, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })

/** Whether a page of this origin gets a socket of Vite, whose token it does not know. */
const getsSocket = (token: string) =>
  new Promise<boolean>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${hot.port}/any/folder/?token=${token}`, {
      protocols: ['vite-hmr'],
      headers: { origin: 'https://other.site.org' },
    } as unknown as string[])
    socket.onopen = () => {
      socket.close()
      resolve(true)
    }
    socket.onerror = () => resolve(false)
  })

async function tokenOf(): Promise<string> {
  const client = await hot.source.read({ path: '@vite/client', search: '', folder: '/f/', accept: null })
  return /wsToken = "([^"]+)"/.exec(Buffer.from(client?.bytes ?? []).toString())?.[1] ?? ''
}

verifies(
  'hmr.strangers',
  'refuses a request under another name, and a socket without the token',
  async () => {
    expect(await statusFor(`127.0.0.1:${hot.port}`)).toBe(200)
    expect(await statusFor('other.site.org')).toBe(403)
    expect(await getsSocket('guess')).toBe(false)
    expect(await getsSocket(await tokenOf())).toBe(true)
  },
)

verifies('hmr.closed', 'frees its port when it closes, also while a socket is open', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${hot.port}/?token=${await tokenOf()}`, 'vite-hmr')
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  const closed = new Promise((resolve) => {
    socket.onclose = resolve
  })
  await hot.close()
  await closed
  await expect(fetch(`http://127.0.0.1:${hot.port}/`)).rejects.toThrow()
})

it('tells what there is not, and what the folder of a bundle is', async () => {
  const read = (path: string) =>
    hot.source.read({ path, search: '', folder: '/b/0123/', accept: 'text/html' })
  const page = await read('index.html')
  expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
  expect(Buffer.from(page?.bytes ?? []).toString()).toContain('src="/b/0123/@vite/client"')
  expect(await read('gone.js')).toBeNull()
})
