import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** A program of a stranger, which names what our packages give as its own exports. */
export interface Program {
  readonly name: string
  readonly text: string
  readonly lib: readonly string[]
  /** Of whom it has global types. */
  readonly types: readonly string[]
  /** The ways to look for packages in which it is compiled. */
  readonly resolutions: readonly Resolution[]
}

/** `moduleResolution`. */
export type Resolution = 'node10' | 'node16' | 'nodenext' | 'bundler'

const node: readonly Resolution[] = ['node16', 'nodenext', 'bundler']
const every: readonly Resolution[] = ['node10', ...node]

/** Of packages for browsers, in a page. */
export const page: Program = {
  name: 'page',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  resolutions: every,
  text: `import { svc } from '@svc/sdk'
import { client, connect } from '@svc/sdk/core'
import * as theme from '@svc/sdk/theme'
import * as state from '@svc/sdk/state'
import * as worker from '@svc/sdk/worker'
import { createBridge } from '@svc/bridge'
import * as element from '@svc/bridge/element'
import * as contract from '@svc/contract/browser'
export const own = svc
export const storage = svc.storage
export const read = svc.storage.get({ key: 'a' })
export const invoke = svc.tools.invoke
export const called = svc.tools.invoke({ tool_id: 'sums', method: 'add', args: {} })
export const bridge = createBridge()
export const mount = bridge.mountWindow
export const parts = { client, connect, theme, state, worker, element, contract }
`,
}

/** The bindings of frameworks, in a page. */
export const bindings: Program = {
  ...page,
  name: 'bindings',
  text: `import * as react from '@svc/react'
import { SvcWindow } from '@svc/react/window'
import * as svelte from '@svc/svelte'
import * as vue from '@svc/vue'
export const component = SvcWindow
export const parts = { react, svelte, vue }
`,
}

/** The client in a worker, which has no document. */
export const worker: Program = {
  name: 'worker',
  lib: ['es2022', 'webworker'],
  types: [],
  resolutions: every,
  text: `import * as worker from '@svc/sdk/worker'
export const parts = { worker }
`,
}

/** A host of a stranger, without the types of documents. */
export const host: Program = {
  name: 'host',
  lib: ['es2023'],
  types: ['node'],
  resolutions: node,
  text: `import { createHost } from '@svc/host'
import * as pageToken from '@svc/host/page-token'
import * as node from '@svc/node'
import * as runner from '@svc/runner'
import * as state from '@svc/state'
import * as driver from '@svc/state/driver'
import * as portable from '@svc/state/portable'
import * as contract from '@svc/contract'
export const host = createHost({ harness: true })
export const { apps, windows, users, plugins, publishing, runners, jobs, sessions, facts } = host
export const installed = await apps.installed('ada')
export const installs = await apps.installs('ada')
export const own = await apps.own('ada', { limit: 1 })
export const opened = await windows.open('ada', { app_id: 'app' })
export const listed = await windows.list('ada')
export const machines = await runners.list('ada')
export const online = runners.online('ada')
export const found = await plugins.find({ userId: 'ada', version: null }, 'tool')
export const plugs = await publishing.own('ada')
export const work = [await jobs.list('ada'), await sessions.list('ada')] as const
export const data = users.export('ada')
export const store = state.memoryStore()
export const local = runner.createRunner()
export const { errors, limits } = contract
export const parts = { pageToken, node, driver, portable }
`,
}

/** What else runs in Node: plugins, drivers, tests. */
export const others: Program = {
  ...host,
  name: 'others',
  text: `import * as cluster from '@svc/state-cluster'
import * as mcp from '@svc/mcp'
import { serve, tool } from '@svc/plugin'
import * as sqlite from '@svc/state-sqlite'
export const made = tool({ parameters: [], run: () => null })
export const parts = { cluster, mcp, serve, sqlite }
`,
}

/** Tests of apps, whose documents are those of a page. */
export const tests: Program = {
  name: 'tests',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  resolutions: node,
  text: `import * as harness from '@svc/cli/harness'
import * as testing from '@svc/testing'
export const host = await testing.createTestHost({ manifest: {} })
export const window = await host.openWindow()
export const parts = { harness, testing }
`,
}

/** Writes a program and its settings below a folder, as strict as TypeScript can be; returns the file of the settings. */
export function writeProgram(
  folder: string,
  { name, text, lib, types }: Program,
  resolution: Resolution,
): string {
  const dir = path.join(folder, name)
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, 'main.ts'), text)
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
  const isNode = resolution === 'node16' || resolution === 'nodenext'
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    declaration: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    module: isNode ? resolution : 'es2022',
    moduleResolution: resolution,
    lib,
    types,
  }
  const file = path.join(dir, `tsconfig.${resolution}.json`)
  writeFileSync(file, JSON.stringify({ compilerOptions, files: ['main.ts'] }))
  return file
}
