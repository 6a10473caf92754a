import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { whyNotRun } from './not-run.ts'
import { blocksOf, commandsOf, filesOf, pageFiles } from './page-commands.ts'
import { type Checkout, copyCheckout } from './testing/checkout.ts'
import { freePort } from './testing/project-run.ts'

/** A page of many commands, each a process that may build apps, on a busy machine. */
const PAGE_MS = 300_000
const COMMAND_MS = 120_000

/** Commands that go on: what they print when they are ready, and what is then read from them. */
const servers: readonly (readonly [begin: RegExp, ready: string, page?: string])[] = [
  [/^(\w+=\S+ )*npm start/, 'svc is running', '/'],
  [/^echo .* svc serve$/, 'svc serves'],
  [/^svc runner/, 'online as desk'],
  [/^node \w+-server\.mjs$/, 'ready', '/my-apps'],
]

/** Pages that speak of the repository; the others speak of a folder of the reader. */
const inCheckout = /^(README|docs\/index|docs\/guides\/(app|mcp-servers)|(packages|examples)\/.*)\.md$/

/** What a page takes for granted. */
const scenes: Readonly<Record<string, () => Promise<void>>> = {
  'README.md': async () => {
    const plugin = blocksOf(read('README.md')).find(({ text }) => text.includes("name: 'weather'"))
    writeFileSync(path.join(checkout.dir, 'weather.ts'), plugin?.text ?? '')
  },
  'packages/plugin/README.md': async () => {
    const plugin = blocksOf(read('packages/plugin/README.md')).find(({ language }) => language === 'ts')
    writeFileSync(path.join(checkout.dir, 'plugin.ts'), plugin?.text ?? '')
  },
  'docs/guides/plugins.md': async () => {
    const page = blocksOf(read('docs/guides/plugins.md'))
    const first = (language: string) => page.find((block) => block.language === language)?.text ?? ''
    writeFileSync(path.join(checkout.work, 'plugin.py'), first('python'))
    writeFileSync(path.join(checkout.work, 'svc.plug.json'), first('json'))
    await openHost()
  },
  'docs/guides/publishing.md': async () => {
    cpSync(path.join(checkout.dir, 'examples/hello-window'), checkout.work, {
      recursive: true,
      filter: (file: string) => path.basename(file) !== 'node_modules',
    })
    await openHost()
    const [login = ''] = commandsOf(read('docs/guides/runners.md')).filter((line) => line.includes('curl -c'))
    await run('docs/guides/publishing.md', login)
  },
  'docs/guides/typed-tools.md': async () => {
    cpSync(path.join(checkout.dir, 'examples/csv-lens'), checkout.work, {
      recursive: true,
      filter: (file: string) => path.basename(file) !== 'node_modules',
    })
  },
  'docs/guides/run-a-host.md': async () => {
    const ui = { bundle: { entry: 'index.html' }, views: [{ name: 'main' }] }
    mkdirSync(path.join(checkout.work, 'my-app'))
    writeFileSync(path.join(checkout.work, 'my-app/index.html'), '<!doctype html><title>My app</title>')
    writeFileSync(
      path.join(checkout.work, 'my-app/manifest.json'),
      JSON.stringify({ schema: 3, name: 'My app', version: '1.0.0', ui }),
    )
    const host = path.join(checkout.dir, 'packages/host')
    const mcp = path.join(checkout.dir, 'packages/mcp/node_modules/@modelcontextprotocol/server-everything')
    for (const [name, from] of [
      ['@svc/host', host],
      ['@hono/node-server', path.join(host, 'node_modules/@hono/node-server')],
      ['hono', path.join(host, 'node_modules/hono')],
      ['express', path.join(realpathSync(mcp), '../../express')],
    ] as const) {
      const link = path.join(checkout.work, 'node_modules', name)
      mkdirSync(path.dirname(link), { recursive: true })
      symlinkSync(realpathSync(from), link)
    }
  },
}

let checkout: Checkout
const running: ChildProcess[] = []
/** The ports of the pages, and those that are free here in their place. */
const ports = new Map<string, string>()
/** Ids that commands printed, by their prefix, for the commands after them. */
const ids = new Map<string, string>()

/** In this order: what the first two start are all examples, and later pages leave copies among them. */
const pages = [
  'docs/index.md',
  'README.md',
  ...pageFiles.filter((page) => !['docs/index.md', 'README.md'].includes(page)),
].filter((page) => commandsOf(read(page)).some((command) => whyNotRun(page, command) === null))

beforeAll(() => {
  checkout = copyCheckout()
}, PAGE_MS)
afterEach(async () => {
  await Promise.all(running.splice(0).map(stop))
})
afterAll(() => checkout.remove())

it.each(pages)('every command of %s runs as written', { timeout: PAGE_MS }, async (page) => {
  for (const port of ['8787', '8788', '8790', '8791', '8792']) ports.set(port, await freePort())
  for (const [name, text] of filesOf(read(page))) writeFileSync(path.join(checkout.work, name), here(text))
  await scenes[page]?.()
  for (const command of commandsOf(read(page))) await run(page, command)
})

it('an example that is copied elsewhere has the types that an editor looks for', {
  timeout: PAGE_MS,
}, async () => {
  const copy = path.join(checkout.work, '../typed')
  cpSync(path.join(checkout.dir, 'examples/csv-lens'), copy, {
    recursive: true,
    filter: (file: string) => path.basename(file) !== 'node_modules',
  })
  const options = { cwd: copy, env: checkout.env, timeout: COMMAND_MS }
  const { stderr } = await promisify(execFile)('svc', ['app', 'lint'], options)
  expect(stderr).toContain('linked into node_modules: @svc/sdk, @svc/plugin')
  const typed = await promisify(execFile)('tsc', ['--noEmit', '-p', '.'], options).catch((error) => error)
  expect(typed.stdout).toBe('')
})

/** Runs a command of a page to its end, or until it is ready where it goes on. */
async function run(page: string, command: string): Promise<void> {
  if (whyNotRun(page, command) !== null) return
  const options = { cwd: inCheckout.test(page) ? checkout.dir : checkout.work, env: checkout.env }
  const server = servers.find(([begin]) => begin.test(command))
  if (server) return serve(here(command), server, options)
  const { stdout } = await promisify(execFile)('sh', ['-c', here(command)], {
    ...options,
    timeout: COMMAND_MS,
  })
  expect(stdout, command).not.toContain('"error":')
  for (const [id, prefix = ''] of stdout.matchAll(/\b(rnr|svcr)_[\w-]+/g)) ids.set(prefix, id)
  const token = ids.get('svcr')
  if (token) writeFileSync(path.join(checkout.env.HOME ?? '', '.svc-token'), token, { mode: 0o600 })
}

/** Starts what goes on, and looks at its page where it has one. */
async function serve(
  command: string,
  [, ready, page]: (typeof servers)[number],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const child = spawn('sh', ['-c', command], { ...options, detached: true })
  running.push(child)
  let out = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk
      if (out.includes(ready)) resolve()
    })
  child.on('exit', () => reject(new Error(`${command} ended before it was ready:\n${out}`)))
  await promise
  expect(out, command).not.toMatch(/left out|\(unavailable\)/)
  if (page === undefined) return
  const [, script] = /^node (\S+)$/.exec(command) ?? []
  const text = script ? readFileSync(path.join(options.cwd, script), 'utf8') : command
  const port = [...ports.values()].find((one) => text.includes(one))
  const answer = await fetch(`http://127.0.0.1:${port}${page}`)
  expect(answer.status, command).toBe(200)
  expect((await answer.text()).length, command).toBeGreaterThan(2)
  await stop(child)
}

/** Ends a command with all that it started. */
async function stop(child: ChildProcess): Promise<void> {
  const isRunning = child.exitCode === null && child.signalCode === null
  if (!isRunning || child.pid === undefined) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGTERM')
  await closed
}

/** A host that lets anybody sign in by name, where a page takes one for granted. */
const openHost = () => run('docs/guides/runners.md', commandsOf(read('docs/guides/runners.md'))[0] ?? '')

/** A text of a page with what is different here: ports, and the ids that were printed before. */
function here(text: string): string {
  const named = [...ids].reduce((all, [prefix, id]) => all.replaceAll(`${prefix}_…`, id), text)
  const moved = [...ports].reduce((all, [port, free]) => all.replaceAll(port, free), named)
  if (moved.includes('--port')) return moved
  const port = `--port ${ports.get('8787')}`
  if (moved.endsWith('svc serve')) return `${moved} ${port}`
  return /npm start/.test(moved) ? `${moved}${moved.includes(' -- ') ? '' : ' --'} ${port}` : moved
}

function read(page: string): string {
  return readFileSync(path.resolve(import.meta.dirname, '..', page), 'utf8')
}
