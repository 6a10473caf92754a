import { createHash } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarOf } from '@svc/conformance/testing/archives'
import { openRegistry } from '@svc/conformance/testing/npm-registry'
import { createRunner, type InstalledSpec, type Runner } from '@svc/runner'
import { type Contender, compare } from './lib/pairs.ts'
import { rawChild, rawPlugin } from './stdio/raw-child.ts'

const MINUTE_MS = 60_000
const HERE = `${process.platform}-${process.arch}`
const ARGS = { city: 'Turin', days: 3 }

/** The raw plugin as each distribution brings it that needs nothing but npm and this machine. */
async function openSources(folder: string) {
  const text = await readFile(rawPlugin, 'utf8')
  const program = join(folder, 'raw-plugin')
  const archive = join(folder, 'raw-plugin.tgz')
  const packed = gzipSync(tarOf({ name: 'raw-plugin.mjs', body: text }))
  await writeFile(program, `#!/usr/bin/env node\n${text}`)
  await chmod(program, 0o700)
  await writeFile(archive, packed)
  const server = createServer((_req, res) => res.end(packed))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const registry = await openRegistry([
    {
      manifest: { name: 'raw-plugin', version: '1.0.0', bin: 'raw-plugin.mjs' },
      files: { 'raw-plugin.mjs': text },
    },
  ])
  const url = `http://${host}/raw-plugin.tgz`
  const sha256 = createHash('sha256').update(packed).digest('hex')
  const distributions: Readonly<Record<string, InstalledSpec['distribution']>> = {
    'local, a script': { type: 'local', path: rawPlugin },
    'local, a program': { type: 'local', path: program },
    'local, an archive': { type: 'local', path: archive },
    'binary, an archive': {
      type: 'binary',
      urls: { [HERE]: { url, sha256 } },
      executable_name: 'raw-plugin.mjs',
    },
    npm: { type: 'npm', package_name: 'raw-plugin' },
  }
  return {
    distributions,
    open: (installDir: string) =>
      createRunner({ installDir, allowLoopback: [host], npmRegistry: registry.url }),
    async close() {
      await registry.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Installs, describes and calls once; what fails is thrown. */
async function firstCall(runner: Runner, plugin: InstalledSpec): Promise<void> {
  const deadlineMs = Date.now() + MINUTE_MS
  const installed = await runner.install(plugin, { deadlineMs })
  const described = installed.ok ? await runner.describe(plugin, { userId: 'ada', deadlineMs }) : installed
  const called = described.ok
    ? await runner.call({
        userId: 'ada',
        plugin,
        tool: 'echo',
        args: ARGS,
        timeoutMs: MINUTE_MS,
        deadlineMs,
        graceMs: 0,
        invokeId: 'inv_1',
        maxResultBytes: 65_536,
      })
    : described
  if (!called.ok) throw new Error(called.message)
}

async function direct(): Promise<number> {
  const begin = performance.now()
  const child = rawChild()
  await child.ask('describe')
  await child.ask('call', { name: 'echo', args: ARGS, timeout: MINUTE_MS, context: { invoke_id: 'x' } })
  const took = performance.now() - begin
  await child.close()
  return took
}

/** From a runner to the first answer of a plugin, by its distribution: what is installed already, and what is not. */
export async function benchInstall() {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'))
  const sources = await openSources(folder)
  let installs = 0
  const started =
    (distribution: InstalledSpec['distribution'], freshDir: () => string): Contender['block'] =>
    async () => {
      const begin = performance.now()
      const runner = sources.open(freshDir())
      await firstCall(runner, { id: 'tool-bench', version: '1.0.0', distribution })
      const took = performance.now() - begin
      await runner.close()
      return took
    }
  const contenders = (freshDir: () => string): Contender[] =>
    Object.entries(sources.distributions).map(([name, distribution]) => ({
      name,
      block: started(distribution, freshDir),
    }))
  const base = { name: 'raw child', block: direct }
  const common = { unit: 'ms', better: 'less', base, twin: { ...base } } as const
  try {
    return [
      await compare({
        ...common,
        title: 'start to the first answer, installed before',
        others: contenders(() => join(folder, 'installs')),
        blocks: 20,
      }),
      await compare({
        ...common,
        title: 'install, start, first answer',
        others: contenders(() => join(folder, `installs-${++installs}`)),
        blocks: 10,
        warmUp: 1,
        aaWithin: 0.1,
      }),
    ]
  } finally {
    await sources.close()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await benchInstall()
