import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { packRelease } from '../release/pack.ts'
import { publish } from '../release/publish.ts'
import { oldNodeFolder } from '../testing/old-node.ts'
import { openRegistry } from '../testing/registry.ts'
import { type Place, toolPackages } from './project.ts'

/** A place with a registry that runs. */
export interface OpenPlace extends Place {
  close(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../..')
const exec = promisify(execFile)

/** Packs all packages, publishes them to a registry of this machine, and installs the tools of the rows from it. */
export async function openPlace(): Promise<OpenPlace> {
  const home = mkdtempSync(path.join(tmpdir(), 'svc-consumers-'))
  const { stdout: behind } = await exec('npm', ['config', 'get', 'registry'])
  const registry = await openRegistry(home, behind.trim())
  const { packages } = await packRelease(root, path.join(home, 'release'), '@svc')
  const failed = await publish(packages, registry, { log: () => undefined, env: registry.env })
  if (failed.length > 0) throw new Error(`not published: ${failed.join(', ')}`)
  const tools = path.join(home, 'tools')
  mkdirSync(tools)
  writeFileSync(path.join(tools, 'package.json'), '{ "private": true }\n')
  const npm = (...words: string[]) => exec('npm', words, { cwd: tools, env: registry.env })
  await npm('install', '--no-audit', '--no-fund', ...toolPackages)
  // Newer versions of npm run what a package does at its installation only where that is asked for.
  await npm('rebuild', 'bun', 'deno')
  const bin = path.join(tools, 'node_modules/.bin')
  const nodes = { newest: path.join(root, 'node_modules/.bin'), oldest: await oldNodeFolder(root) }
  return {
    home,
    registry,
    tools: bin,
    nodes,
    async close() {
      await registry.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
