import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { oldNodeFolder } from '../testing/old-node.ts'
import { openPublishedRegistry } from '../testing/published-registry.ts'
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
  const { registry } = await openPublishedRegistry(root, home)
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
