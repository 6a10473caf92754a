import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits as defaults, type RpcResponse } from '@svc/contract'
import { createRunner, type Runner } from '@svc/runner'
import { openTestHost, type TestHost, type TestHostOptions, type TestWindow } from './host.ts'
import { type Process, processesWith } from './processes.ts'

/** A test host with the odd plugin in real processes, and a window of an app that may call it. */
export interface ToolHost extends TestHost {
  readonly runner: Runner
  readonly window: TestWindow
  /** An empty folder, gone when the host closes. */
  readonly folder: string
  /** Calls a tool of the odd plugin in the window. */
  invoke(method: string, args?: unknown, more?: Readonly<Record<string, unknown>>): Promise<RpcResponse>
  /** The messages that the plugin's processes have read so far. */
  read(): Record<string, unknown>[]
  /** The processes of the plugin that live now, those that they started included. */
  processes(): Process[]
}

/** Where the odd plugin is. */
export const ODD_PLUGIN = join(import.meta.dirname, 'odd-plugin.ts')

/** The manifest of an app that may call the odd plugin. */
export const ODD_MANIFEST = { required_plugs: ['odd'] } as const

/** Starts it, with the plugin described and a window open. Close it. */
export async function openToolHost(options: TestHostOptions = {}): Promise<ToolHost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-odd-'))
  const spy = join(folder, 'lines')
  const mark = `ODD_MARK=${randomUUID()}`
  const { clock } = options
  const limits = { ...defaults, ...options.limits }
  const runner = createRunner({ limits, ...(clock && { clock }) })
  const env = { ODD_SPY: spy, ODD_MARK: mark.slice('ODD_MARK='.length) }
  const odd = { slug: 'odd', command: ['node', ODD_PLUGIN] as [string, ...string[]], env }
  const testHost = await openTestHost({
    runner,
    manifest: { required_plugs: [...ODD_MANIFEST.required_plugs] },
    ...options,
    plugins: [odd, ...(options.plugins ?? [])],
  })
  await testHost.host.plugins.ready()
  const window = await testHost.openWindow()
  return {
    ...testHost,
    runner,
    window,
    folder,
    invoke: (method, args = {}, more = {}) =>
      window.call('tools', 'invoke', { tool_id: 'odd', method, args, ...more }),
    read: () =>
      (existsSync(spy) ? readFileSync(spy, 'utf8') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    processes: () => processesWith(mark),
    async close() {
      await testHost.close()
      await runner.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
