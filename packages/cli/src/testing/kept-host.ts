import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TEST_START_TOKEN } from '@svc/conformance/start-token'
import { type FakeProvider, openFakeProvider } from '@svc/conformance/testing/fake-provider'
import { freePort } from '@svc/conformance/testing/free-port'
import { type CommandEnd, startSvc } from './cli.ts'

/** `svc serve` in a process of its own on a data folder, which a test kills and starts again on the same port. */
export interface KeptHost {
  readonly dir: string
  readonly url: string
  readonly port: number
  /** The model behind it. */
  readonly provider: FakeProvider
  start(): Promise<void>
  /** Sends it a signal; resolves when it has printed a text. */
  signal(name: NodeJS.Signals, text: string): Promise<void>
  /** How it ended by itself. */
  ended(): Promise<CommandEnd | undefined>
  /** Kills it, and nothing else. */
  kill(): Promise<void>
  /** Lets every job of the tool `walk` end. */
  letJobsEnd(): void
  /** What the plugin was called for, in order: the argument `n` of each call. */
  calls(): readonly string[]
  close(): Promise<void>
}

const manifest = {
  schema: 3,
  name: 'Kept',
  version: '1.0.0',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main', default: true, title: 'Kept' }],
    host_api: { agent: { session: { auto: true } }, storage: ['*'], upload: ['*'] },
  },
  required_plugs: ['steps'],
}

const pluginCode = `import { appendFileSync, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [, , folder] = process.argv
const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const parameters = [{ name: 'n', type: 'string' }]
  if (method === 'describe') write({ id, result: { name: 'steps', version: '1.0.0', tools: [{ name: 'walk', parameters }] } })
  if (method !== 'call') return
  appendFileSync(folder + '/calls', params.args.n + '\\n')
  write({ method: 'progress', params: { id, type: 'progress', data: { done: 1, of: 10 } } })
  setInterval(() => {
    if (existsSync(folder + '/go')) write({ id, result: { output: { walked: params.args.n } } })
  }, 20)
}).on('close', () => process.exit())
`

/** Makes the app, its plugin and the config file, and starts the host. `sdk` and `script` are those of the app. */
export async function startKeptHost(files: Readonly<Record<string, string>> = {}): Promise<KeptHost> {
  const dir = mkdtempSync(path.join(tmpdir(), 'svc-kept-'))
  const [appDir, plugDir] = [path.join(dir, 'app'), path.join(dir, 'plug')]
  mkdirSync(appDir)
  mkdirSync(plugDir)
  const called = path.join(plugDir, 'calls')
  const bundle = { 'index.html': '<!doctype html><title>Kept</title>', ...files }
  for (const [name, text] of Object.entries(bundle)) writeFileSync(path.join(appDir, name), text)
  writeFileSync(path.join(appDir, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(path.join(plugDir, 'plugin.mjs'), pluginCode)
  const published = {
    name: 'Stairs',
    type: 'tool',
    slug: 'stairs',
    command: ['node', 'plugin.mjs'],
    distribution: { type: 'local', path: 'plugin.mjs' },
  }
  writeFileSync(path.join(plugDir, 'svc.plug.json'), JSON.stringify(published))
  const grants = { upload_grant: true }
  const plugin = { slug: 'steps', command: [process.execPath, 'plugin.mjs', plugDir], cwd: 'plug' }
  const config = { signIn: 'dev', isolation: 'none', apps: [{ dir: 'app', grants }], plugins: [plugin] }
  writeFileSync(path.join(dir, 'svc.config.json'), JSON.stringify(config))
  const provider = await openFakeProvider()
  const port = await freePort()
  let svc: ReturnType<typeof startSvc> | null = null

  async function start(): Promise<void> {
    const env = { SVC_LLM_BASE_URL: provider.url, SVC_LLM_MODEL: 'fake-1', SVC_START_TOKEN: TEST_START_TOKEN }
    svc = startSvc(['serve', '--port', String(port)], { cwd: dir, env })
    await svc.sees('  lacks ')
  }
  async function kill(): Promise<void> {
    svc?.child.kill('SIGKILL')
    await svc?.ended
  }
  await start()
  return {
    dir,
    port,
    url: `http://127.0.0.1:${port}`,
    provider,
    start,
    async signal(name, text) {
      svc?.child.kill(name)
      await svc?.sees(text)
    },
    ended: async () => svc?.ended,
    kill,
    letJobsEnd: () => writeFileSync(path.join(plugDir, 'go'), ''),
    calls: () => (existsSync(called) ? readFileSync(called, 'utf8').trim().split('\n') : []),
    async close() {
      await kill()
      await provider.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
