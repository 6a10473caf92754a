import { execFile, spawn } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../testing/project-run.ts'
import type { Registry } from '../testing/registry.ts'
import type { Command, Consumer, Manager } from './row.ts'

/** A registry that has the packages, and the programs that rows are run with. */
export interface Place {
  readonly home: string
  readonly registry: Registry
  /** The folder of the package managers and runtimes. */
  readonly tools: string
  /** The folders of both Nodes. */
  readonly nodes: { readonly newest: string; readonly oldest: string }
}

/** A program that was started. */
export interface Started {
  readonly url: string
  stop(): Promise<void>
}

/** How long a server may take to answer, on a busy machine. */
const READY_MS = 90_000
const LOOK_MS = 100

/** The packages of the programs that rows are run with. */
export const toolPackages = ['pnpm@12', '@yarnpkg/cli-dist@4', 'bun@1.4', 'deno@2'] as const

const adds: Readonly<Record<Manager, Command>> = {
  npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
  pnpm: ['pnpm', 'add', '--config.minimumReleaseAge=0'],
  yarn: ['yarn', 'add'],
  'yarn-pnp': ['yarn', 'add'],
  bun: ['bun', 'add'],
}

/** What a package manager reads in the folder of a project. */
const configs = (url: string): Readonly<Record<Manager, Readonly<Record<string, string>>>> => ({
  npm: {},
  pnpm: { '.npmrc': `registry=${url}\n` },
  yarn: yarn(url, 'node-modules'),
  'yarn-pnp': yarn(url, 'pnp'),
  bun: { 'bunfig.toml': `[install]\nregistry = "${url}"\n` },
})

const yarn = (url: string, linker: string) => ({
  'yarn.lock': '',
  '.yarnrc.yml': `nodeLinker: ${linker}
npmRegistryServer: "${url}"
unsafeHttpWhitelist: ["127.0.0.1"]
enableTelemetry: false
enableGlobalCache: false
npmMinimalAgeGate: 0
`,
})

/** A project of somebody: makes it of a row, installs what it imports, builds it and starts it. */
export function openProject({ home, registry, tools, nodes }: Place, name: string, row: Consumer) {
  const dir = path.join(home, 'rows', name.replaceAll(/[^\w.-]+/g, '-'))
  const env: NodeJS.ProcessEnv = {
    ...registry.env,
    PATH: [path.join(dir, 'node_modules/.bin'), tools, nodes[row.node ?? 'newest'], process.env.PATH].join(
      path.delimiter,
    ),
    HOME: home,
    CI: 'true',
    NODE_ENV: undefined,
    VITEST: undefined,
    NEXT_TELEMETRY_DISABLED: '1',
    NUXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
  }

  function write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      const whole = path.join(dir, file)
      mkdirSync(path.dirname(whole), { recursive: true })
      writeFileSync(whole, text)
    }
  }

  async function run([program, ...words]: Command): Promise<void> {
    await promisify(execFile)(program, words, { cwd: dir, env, maxBuffer: 64_000_000 }).catch(
      ({ stdout, stderr, message }: { stdout?: string; stderr?: string; message: string }) => {
        throw new Error(`${message}\n${stdout}\n${stderr}`)
      },
    )
  }

  return {
    dir,
    /** Writes its files and those of its manager, installs what it needs, and builds it. */
    async make(more: Readonly<Record<string, string>>): Promise<void> {
      const { manager = 'npm', packages, files = {}, build = [] } = row
      write({ 'package.json': '{ "private": true }\n', ...configs(registry.url)[manager], ...more, ...files })
      const [program, ...words] = adds[manager]
      await run([program, ...words, ...packages])
      for (const command of build) await run(command)
    },
    run,
    /** Moves a folder away from all packages; returns where to. */
    moved(folder: string): string {
      const to = path.join(home, 'moved', path.basename(dir))
      mkdirSync(path.dirname(to), { recursive: true })
      renameSync(path.join(dir, folder), to)
      return to
    },
    /** Starts a program that listens at `PORT`; resolves once it answers. Throws what it printed if it does not. */
    async start([program, ...words]: Command, cwd: string): Promise<Started> {
      const port = await freePort()
      const own = { PORT: port, HOST: '127.0.0.1', NITRO_PORT: port, NITRO_HOST: '127.0.0.1' }
      const probe = { PROBE_DIR: path.join(dir, 'probe') }
      const child = spawn(program, words, { cwd, detached: true, env: { ...env, ...own, ...probe } })
      let out = ''
      child.on('error', (error) => {
        out += error.message
      })
      const closed = new Promise((resolve) => child.once('close', resolve))
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          out += chunk
        })
      const url = `http://127.0.0.1:${port}`
      async function stop(): Promise<void> {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, 'SIGKILL')
        await closed
      }
      const until = performance.now() + READY_MS
      while (!(await answers(url))) {
        if (child.pid !== undefined && child.exitCode === null && performance.now() < until) {
          await new Promise((later) => setTimeout(later, LOOK_MS))
          continue
        }
        await stop()
        throw new Error(`${program} ${words.join(' ')} is not ready:\n${out}`)
      }
      return { url, stop }
    },
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return true
    },
    () => false,
  )
