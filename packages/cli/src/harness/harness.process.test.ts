import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTinyApp, type TinyApp } from '../testing/tiny-app.ts'
import { type Change, type Harness, startHarness } from './harness.ts'

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

async function installs({ url, host }: Harness) {
  const shown = { authorization: `Bearer ${host.startToken}` }
  const headers = { origin: url, 'content-type': 'application/json', ...shown }
  const body = JSON.stringify({ user: 'dev' })
  const signedIn = await fetch(`${url}/api/v1/auth/dev-login`, { method: 'POST', headers, body })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const answer = await fetch(`${url}/api/v1/svc-apps/installs`, { headers: { cookie } })
  return ((await answer.json()) as { installs: { name: string }[] }).installs
}

it('builds an app, serves it, and frees the port when it closes', async () => {
  const harness = await start()
  const { url, close, storage } = harness
  expect((await installs(harness)).map(({ name }) => name)).toEqual(['Tiny'])
  expect(storage).toBe('window-state')
  await close()
  await close()
  await expect(fetch(url)).rejects.toThrow()
})

it('builds again when a file is saved, and tells the host', async () => {
  const changes: (string | null)[] = []
  await installs(await start({ watch: true, onChange: ({ problem }) => void changes.push(problem) }))
  app.greet('Changed')
  // The watcher may read the file after it was emptied and before it was written: what was said last counts.
  await expect.poll(() => changes.at(-1)).toBeNull()
})

it('keeps the app as it was when an edit cannot be built, and says so until one can', async () => {
  const changes: (string | null)[] = []
  const { host } = await start({ watch: true, onChange: ({ problem }) => void changes.push(problem) })
  const shown = async () => (await host.apps.installs('dev'))[0]?.build_problem
  app.put('greeting.js', 'export const greeting = {{\n')
  const unexpected = /^Unexpected token at .*greeting\.js:1:\d+$/
  await expect.poll(() => changes.at(-1)).toMatch(unexpected)
  expect(await shown()).toEqual({
    part: 'build',
    message: 'Unexpected token',
    file: 'greeting.js',
    line: 1,
    column: 26,
    hint: 'Correct this place and save the file.',
  })
  app.greet('Hello again')
  await expect.poll(() => changes.at(-1)).toBeNull()
  expect(await shown()).toBeNull()
})

it('says after a save of the manifest what lint finds in it, and where it is not JSON', async () => {
  const changes: Change[] = []
  const { host } = await start({ watch: true, onChange: (change) => void changes.push(change) })
  const manifest = JSON.parse(readFileSync(`${app.dir}/public/manifest.json`, 'utf8'))
  manifest.ui.host_api = { llm: ['compleet'] }
  app.put('public/manifest.json', JSON.stringify(manifest))
  const found =
    'manifest.json ui.host_api.llm: there is no method llm.compleet. Did you mean complete? There are '
  await expect
    .poll(() => changes)
    .toContainEqual({
      app: expect.any(String),
      part: 'manifest',
      problem: null,
      note: expect.stringContaining(found),
    })
  const [installed] = await host.apps.installs('dev')
  expect(installed?.build_problem).toMatchObject({
    part: 'manifest',
    message: 'there is no method llm.compleet',
    file: 'public/manifest.json',
    line: 1,
  })
  expect(changes.filter(({ part }) => part === 'build')).toHaveLength(1)
  app.put('public/manifest.json', '{\n  "schema": 3,\n}')
  await expect
    .poll(() => changes.at(-1)?.problem)
    .toMatch(/cannot be used: public\/manifest\.json:2:\d+ has a comma before }; JSON has none there$/)
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

it('knows that the port is in use before it builds anything', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  rmSync(`${app.dir}/greeting.js`)
  try {
    await expect(start({ port })).rejects.toMatchObject({ kind: 'port' })
  } finally {
    other.close()
  }
})

it('reads the svc key again when package.json is saved: tools come, change and go', async () => {
  const told: unknown[] = []
  const hearers: (() => void)[] = []
  const { host } = await start({
    watch: true,
    onChange(change) {
      told.push(change)
      for (const hear of hearers.splice(0)) hear()
    },
  })
  const code = `import { serve } from '@svc/plugin'\nserve({ name: 'sums', version: '1.0.0', tools: {} })\n`
  writeFileSync(`${app.dir}/plugin.ts`, code)
  const handles = async () =>
    (await host.plugins.of({ userId: '', version: null })).map(({ handle, status }) => `${handle} ${status}`)
  async function save(text: string): Promise<unknown> {
    const heard = new Promise<void>((resolve) => void hearers.push(resolve))
    writeFileSync(`${app.dir}/package.json`, text)
    await heard
    return told.at(-1)
  }
  const key = (svc: object) => JSON.stringify({ type: 'module', svc })
  const about = { app: expect.stringContaining('svc-tiny-'), part: 'svc key' }
  const sums = { slug: 'sums', command: ['node', 'plugin.ts'] }

  const tools = 'tools: sums (available)'
  expect(await save(key({ plugins: [sums] }))).toEqual({ ...about, problem: null, note: tools })
  expect(await handles()).toEqual(['sums available'])
  const later = `${tools}; svc.storage changes when svc dev starts again`
  expect(await save(key({ plugins: [sums], storage: 'persistent' }))).toEqual({
    ...about,
    problem: null,
    note: later,
  })
  expect(await save('{')).toEqual({ ...about, problem: expect.stringContaining('package.json') })
  expect(await save(key({ plugins: [{ ...sums, slug: 'adder' }] }))).toMatchObject({ problem: null })
  expect(await handles()).toEqual(['adder available'])
  expect(await save(key({}))).toEqual({ ...about, problem: null, note: 'tools: none' })
  expect(await handles()).toEqual([])
})

it('says what cannot be built', async () => {
  rmSync(`${app.dir}/greeting.js`)
  await expect(start()).rejects.toMatchObject({ kind: 'build' })
})

it('lends @svc/sdk to an app that has nothing installed', async () => {
  const copied = makeTinyApp(`export { svc } from '@svc/sdk'`)
  try {
    const lent: (readonly string[])[] = []
    const { apps } = await start({ dirs: [copied.dir], onLent: (_, names) => void lent.push(names) })
    expect(apps).toHaveLength(1)
    expect(lent).toEqual([['@svc/sdk']])
  } finally {
    copied.remove()
  }
})

it('lends @svc/plugin to a plugin whose folder has nothing installed', async () => {
  const plugins = [{ slug: 'sums', command: ['node', 'plugin.ts'] }]
  writeFileSync(`${app.dir}/package.json`, JSON.stringify({ type: 'module', svc: { plugins } }))
  const code = `import { serve } from '@svc/plugin'\nserve({ name: 'sums', version: '1.0.0', tools: {} })\n`
  writeFileSync(`${app.dir}/plugin.ts`, code)
  const { host } = await start()
  await host.plugins.ready()
  expect(await host.plugins.of({ userId: '', version: null })).toMatchObject([
    { handle: 'sums', status: 'available', problem: null },
  ])
})

it('leaves an app out that cannot be built without hot updates, in one sentence, and starts the others', async () => {
  const bad = makeTinyApp(`import 'not-installed'\nexport const svc = {}`)
  const told: string[] = []
  const options = { watch: true, hmr: false, onLeftOut: ({ message }: Error) => void told.push(message) }
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
  [
    'a key that nobody reads',
    '{"schema":3,"name":"B","ui":{"host_apis":{}}}',
    /cannot be used: public\/manifest.json has the unknown key `ui.host_apis`; did you mean `ui.host_api`\?$/,
  ],
  [
    'the name of another app',
    null,
    /cannot be used: the app in \S+ has the same name; change "name" in the manifest of one of them$/,
  ],
])('leaves out an app with %s', async (_, manifest, sentence) => {
  const copy = makeTinyApp('export const svc = {}')
  if (manifest !== null) writeFileSync(`${copy.dir}/public/manifest.json`, manifest)
  const told: Error[] = []
  try {
    const harness = await start({
      dirs: [app.dir, copy.dir],
      onLeftOut: (failure) => void told.push(failure),
    })
    expect((await installs(harness)).map(({ name }) => name)).toEqual(['Tiny'])
    expect(told.map(({ message }) => message)).toEqual([expect.stringMatching(sentence)])
    await expect(start({ dirs: [app.dir, copy.dir] })).rejects.toMatchObject({ kind: 'config' })
  } finally {
    copy.remove()
  }
})
