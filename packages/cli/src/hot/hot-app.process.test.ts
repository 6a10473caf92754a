import { once } from 'node:events'
import { get } from 'node:http'
import { verifies } from '@svc/conformance/verifies'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { type HotApp, openHotApp } from './hot-app.ts'

let app: TinyApp
let hot: HotApp
let thrown: PromiseWithResolvers<string | undefined>
beforeEach(async () => {
  app = makeTinyApp('export const svc = {}')
  const nothing = () => undefined
  thrown = Promise.withResolvers()
  hot = await openHotApp(readProject(app.dir), {
    port: 0,
    onChecked: nothing,
    onThrown: (error) => thrown.resolve(error?.message),
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
  'refuses each request that is not of the host, and a socket without the token',
  async () => {
    expect(await statusFor(`127.0.0.1:${hot.port}`)).toBe(404)
    expect(await statusFor('other.site.org')).toBe(404)
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

verifies('hmr.strangers', 'lives on after a request for a socket at any address', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${hot.port}//`, 'vite-hmr')
  await Promise.race(['open', 'error'].map((name) => once(socket, name)))
  socket.close()
  expect(await hot.source.read({ path: 'main.js', search: '', folder: '/f/', accept: null })).not.toBeNull()
})

/** The socket of a window, as the client of Vite opens it; `send` tells what the window says on its console. */
async function openWindow() {
  const socket = new WebSocket(`ws://127.0.0.1:${hot.port}/?token=${await tokenOf()}`, 'vite-hmr')
  await once(socket, 'open')
  const send = (data: unknown) =>
    socket.send(JSON.stringify({ type: 'custom', event: 'vite:forward-console', data }))
  return { socket, send }
}

it('tells no error of a document that is being replaced', async () => {
  const folderOf = (digest: string) => `/bundles/${digest.repeat(64)}.ticket/`
  const load = (digest: string) =>
    hot.source.read({ path: 'index.html', search: '', folder: folderOf(digest), accept: 'text/html' })
  const { socket, send } = await openWindow()
  const threw = (digest: string) =>
    send({
      type: 'error',
      data: {
        name: 'Error',
        message: `of ${digest}`,
        stack: `at http://a${folderOf(digest)}main.js:1:1`,
      },
    })
  await load('a')
  hot.replaced()
  threw('a')
  await load('b')
  threw('a')
  threw('b')
  expect(await thrown.promise).toBe('Error: of b')
  socket.close()
})

it.each([
  ['came back', true],
  ['was not replaced after all', false],
])('tells errors of a bundle that %s', async (_, isLoaded) => {
  const folder = `/bundles/${'a'.repeat(64)}.ticket/`
  const load = () => hot.source.read({ path: 'index.html', search: '', folder, accept: 'text/html' })
  await load()
  const stay = hot.replaced()
  if (isLoaded) await load()
  else stay()
  const { socket, send } = await openWindow()
  send({ type: 'error', data: { name: 'Error', message: 'here', stack: `at http://a${folder}main.js:1:1` } })
  expect(await thrown.promise).toBe('Error: here')
  socket.close()
})

verifies('hmr.strangers', 'lives on after messages of an app that nobody can read', async () => {
  const { socket, send } = await openWindow()
  for (const data of [null, 7, { type: 'error' }, { type: 'log' }, { type: 'error', data: null }]) send(data)
  send({
    type: 'error',
    data: { name: 'Error', message: 7, stack: 'at f (http://[:1:1)\nat g (http://a/%zz:1:1)' },
  })
  expect(await thrown.promise).toBe('Error: 7')
  socket.close()
})

it('opens no file in the editor of the developer', async () => {
  const search = `?file=${encodeURIComponent(`${app.dir}/main.js`)}`
  const opened = hot.source.read({ path: '__open-in-editor', search, folder: '/f/', accept: null })
  expect(await opened).toBeNull()
})
