import { once } from 'node:events'
import { get } from 'node:http'
import { verifies } from '@svc/conformance/verifies'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { readProject } from '../project/project.ts'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import type { Checked } from './held-updates.ts'
import { type HotApp, openHotApp } from './hot-app.ts'

let app: TinyApp
let hot: HotApp
let thrown: PromiseWithResolvers<string | undefined>
let checked: Checked[]
beforeEach(async () => {
  app = makeTinyApp('export const svc = {}')
  app.put('vite.config.js', 'export default {}\n')
  const nothing = () => undefined
  thrown = Promise.withResolvers()
  checked = []
  hot = await openHotApp(readProject(app.dir), {
    port: 0,
    onChecked: (one) => void checked.push(one),
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

/** Whether a page of this origin, or a program, which names none, gets a socket of Vite. */
const getsSocket = (query: string, origin?: string, protocol = 'vite-hmr') =>
  new Promise<boolean>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${hot.port}/any/folder/${query}`, {
      protocols: [protocol],
      ...(origin !== undefined && { headers: { origin } }),
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
  },
)

const [PAGE, PROGRAM] = ['https://other.site.org', undefined]
verifies.each('hmr.strangers')([
  ['a page that guesses', () => '?token=guess', PAGE, false],
  ['a page that has the token', (token) => `?token=${token}`, PAGE, true],
  ['a program that has the token', (token) => `?token=${token}`, PROGRAM, true],
  ['a program without a token', () => '', PROGRAM, false],
  ['a program with an empty token', () => '?token=', PROGRAM, false],
  ['a program that guesses', (token) => `?token=${'x'.repeat(token.length)}`, PROGRAM, false],
  ['a program with the token under another name', (token) => `?Token=${token}`, PROGRAM, false],
] as [string, (token: string) => string, string | undefined, boolean][])(
  'a socket for %s is opened only with the token',
  async (_, queryOf, origin, isOpened) => {
    expect(await getsSocket(queryOf(await tokenOf()), origin)).toBe(isOpened)
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

/** The text of a module as windows get it. */
const textOf = async (path: string) =>
  Buffer.from(
    (await hot.source.read({ path, search: '', folder: '/f/', accept: null }))?.bytes ?? [],
  ).toString()

/** Saves a configuration; resolves once sockets close because Vite starts again with it. */
async function configureVite(shown: string) {
  const { socket } = await openWindow()
  const closed = once(socket, 'close')
  const plugin = `{
    name: 'show',
    transform: (code) => code.replace('SHOWN', '"${shown}"'),
    // It takes its time to end, as plugins of frameworks do.
    closeBundle: () => new Promise((done) => setTimeout(done, 300)),
  }`
  // Vite watches from some time after it has started on.
  const put = () =>
    app.put('vite.config.js', `// ${performance.now()}\nexport default { plugins: [${plugin}] }\n`)
  put()
  const again = setInterval(put, 2_000)
  await closed
  clearInterval(again)
}

verifies('hmr.restart', 'serves nothing of a configuration that windows heard is over', async () => {
  app.put('greeting.js', 'export const greeting = SHOWN\n')
  for (const shown of ['first', 'second', 'third']) {
    await configureVite(shown)
    expect(await textOf('greeting.js')).toContain(`"${shown}"`)
  }
})

verifies('hmr.restart', 'has a window reload that read its client just before a restart', async () => {
  const token = await tokenOf()
  await configureVite('first')
  await expect.poll(() => checked.length).toBeGreaterThan(0)
  const socket = new WebSocket(`ws://127.0.0.1:${hot.port}/?token=${token}`, 'vite-hmr')
  const heard: unknown[] = []
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)))
  await expect.poll(() => heard).toContainEqual({ type: 'full-reload', path: '*' })
  expect(await tokenOf()).not.toBe(token)
  socket.close()
})

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

/** What no window sends: for programs that Vite trusts, of Vite itself, or junk of any shape. */
const hostile: readonly unknown[] = [
  ...[
    'vite:invoke',
    'vite:client:connect',
    'vite:client:disconnect',
    'vite:ws:connect',
    'connection',
  ].flatMap((event) =>
    [null, {}, 7, { id: 7 }, { id: 'send', name: 'fetchModule', data: ['/main.js'] }].map((data) => ({
      type: 'custom',
      event,
      data,
    })),
  ),
  ...[
    null,
    7,
    {},
    { path: 7 },
    { path: '/main.js', message: {} },
    { path: '/main.js', firstInvalidatedBy: [] },
  ].map((data) => ({ type: 'custom', event: 'vite:invalidate', data })),
  { type: 'custom', event: { toString: 1 } },
  { type: 'custom', event: '__proto__' },
]
const shapes = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .record({
      type: fc.constantFrom('custom', 'ping', 'update', 'error'),
      event: fc.oneof(
        fc.constantFrom('vite:invoke', 'vite:invalidate', 'vite:forward-console', 'message', 'own'),
        fc.string(),
      ),
      data: fc.jsonValue(),
    })
    .map((value) => JSON.stringify(value)),
)

verifies('hmr.strangers', 'lives on after junk of every shape, and answers none of it', async () => {
  const ended: unknown[] = []
  const note = (error: unknown) => ended.push(error)
  process.on('unhandledRejection', note).on('uncaughtException', note)
  onTestFinished(() => void process.off('unhandledRejection', note).off('uncaughtException', note))
  const { socket, send } = await openWindow()
  const said: string[] = []
  socket.onmessage = ({ data }) => said.push(String(data))
  for (const message of hostile) socket.send(JSON.stringify(message))
  for (const text of fc.sample(shapes, 200)) socket.send(text)
  socket.send(new Uint8Array([0xff, 0xfe, 0]))
  send({ type: 'error', data: { name: 'Error', message: 'last', stack: '' } })
  expect(await thrown.promise).toBe('Error: last')
  expect([ended, said.filter((one) => one.includes('vite:invoke'))]).toEqual([[], []])
  socket.close()
})

it('opens no file in the editor of the developer', async () => {
  const search = `?file=${encodeURIComponent(`${app.dir}/main.js`)}`
  const opened = hot.source.read({ path: '__open-in-editor', search, folder: '/f/', accept: null })
  expect(await opened).toBeNull()
})
