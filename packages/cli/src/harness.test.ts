import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from './harness.ts'
import { makeTinyApp, type TinyApp } from './tiny-app.ts'

let app: TinyApp
const running: Harness[] = []
beforeEach(() => {
  app = makeTinyApp('export const svc = {}')
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((harness) => harness.close()))
  app.remove()
})

async function start(options: Partial<Parameters<typeof startHarness>[0]> = {}): Promise<Harness> {
  const harness = await startHarness({ dirs: [app.dir], shell: false, ...options })
  running.push(harness)
  return harness
}

async function installs(url: string) {
  const headers = { origin: url, 'content-type': 'application/json' }
  const body = JSON.stringify({ user: 'dev' })
  const signedIn = await fetch(`${url}/api/v1/auth/dev-login`, { method: 'POST', headers, body })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const answer = await fetch(`${url}/api/v1/svc-apps/installs`, { headers: { cookie } })
  return ((await answer.json()) as { installs: { name: string }[] }).installs
}

it('builds an app, serves it, and frees the port when it closes', async () => {
  const { url, close, storage } = await start()
  expect((await installs(url)).map(({ name }) => name)).toEqual(['Tiny'])
  expect(storage).toBe('window-state')
  await close()
  await close()
  await expect(fetch(url)).rejects.toThrow()
})

it('builds again when a file is saved, and tells the host', async () => {
  const { promise, resolve } = Promise.withResolvers<{ app: string; problem: string | null }>()
  const { url } = await start({ watch: true, onChange: resolve })
  await installs(url)
  app.greet('Changed')
  expect(await promise).toMatchObject({ problem: null })
})

it('keeps the app as it was when an edit cannot be built', async () => {
  const { promise, resolve } = Promise.withResolvers<{ app: string; problem: string | null }>()
  await start({ watch: true, onChange: resolve })
  writeFileSync(`${app.dir}/greeting.js`, `import './gone.js'`)
  expect((await promise).problem).toContain('gone.js')
})

it('says in a sentence that the port is in use', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    await expect(start({ port })).rejects.toMatchObject({ kind: 'port', message: `port ${port} is in use` })
  } finally {
    other.close()
  }
})

it('says what cannot be built', async () => {
  rmSync(`${app.dir}/greeting.js`)
  await expect(start()).rejects.toMatchObject({ kind: 'build' })
})

it('lends @svc/sdk to an app that has nothing installed', async () => {
  const copied = makeTinyApp(`export { svc } from '@svc/sdk'`)
  try {
    const { apps } = await start({ dirs: [copied.dir] })
    expect(apps).toHaveLength(1)
  } finally {
    copied.remove()
  }
})

it('leaves a bad app out, in one sentence, and starts the others', async () => {
  const bad = makeTinyApp(`import 'not-installed'\nexport const svc = {}`)
  const told: string[] = []
  const options = { watch: true, onLeftOut: ({ message }: Error) => void told.push(message) }
  try {
    const { apps } = await start({ dirs: [bad.dir, 'gone', app.dir], ...options })
    expect(apps.map(({ dir }) => dir)).toEqual([app.dir])
    expect(told).toEqual([
      expect.stringMatching(/^svc-tiny-\S+ could not be built: .*"not-installed" from "\S+sdk.js"$/),
      'there is no folder gone',
    ])
    await expect(start({ dirs: [bad.dir], ...options })).rejects.toMatchObject({ kind: 'build' })
  } finally {
    bad.remove()
  }
})

it.each([
  ['a manifest that is none', '{"schema":3}', 'cannot be used: manifest.'],
  ['the name of another app', null, 'cannot be used: another configured app has the same name'],
])('leaves out an app with %s', async (_, manifest, sentence) => {
  const copy = makeTinyApp('export const svc = {}')
  if (manifest !== null) writeFileSync(`${copy.dir}/public/manifest.json`, manifest)
  const told: Error[] = []
  try {
    const { url } = await start({
      dirs: [app.dir, copy.dir],
      onLeftOut: (failure) => void told.push(failure),
    })
    expect((await installs(url)).map(({ name }) => name)).toEqual(['Tiny'])
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)])
    await expect(start({ dirs: [app.dir, copy.dir] })).rejects.toMatchObject({ kind: 'config' })
  } finally {
    copy.remove()
  }
})
