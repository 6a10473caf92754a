import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits } from '@svc/contract'
import { createHost, type Host, type HostOptions, type PageFile } from '@svc/host'
import { serveByFetch } from '@svc/node/testing'
import { type Logger, pino } from 'pino'
import { TEST_START_TOKEN } from '../start-token.ts'
import { bridgeScript } from './bridge-script.ts'
import { ODD_PLUGIN } from './tool-host.ts'

/** How calls reach a host: over the call socket, or by POST where what serves it takes no upgrades. */
export type Way = 'socket' | 'post'

/** How to start it. */
export interface PageHostOptions {
  /** A folder with a folder for each app. */
  readonly dir: string
  /** Default 0: a free one. */
  readonly port?: number
  readonly limits?: Partial<Limits>
  /** Default: that of a host for development. */
  readonly bundleOrigin?: string
  /** Default: the call socket. */
  readonly way?: Way
  /** The odd plugin's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Default: nothing is logged. */
  readonly logger?: Logger
  /** State that it shares with others, and the secret. Default: its own. */
  readonly shared?: HostOptions
}

const PAGE =
  '<!doctype html><title>page</title><link rel=icon href=data:,><main></main><script type=module src=/bridge.js></script>'

/** Starts a real host with the apps of a folder, the odd plugin in real processes, and a page with a bridge. */
export async function startPageHost({
  dir,
  port = 0,
  limits = {},
  way = 'socket',
  env = {},
  bundleOrigin,
  logger = pino({ level: 'silent' }),
  shared = {},
}: PageHostOptions): Promise<{ host: Host; url: string; close(): Promise<void> }> {
  const code = await bridgeScript()
  const files = new Map<string, PageFile>([
    ['/', { bytes: Buffer.from(PAGE), type: 'text/html; charset=utf-8' }],
    ['/bridge.js', { bytes: Buffer.from(code), type: 'text/javascript; charset=utf-8' }],
  ])
  const host = createHost({
    harness: true,
    startToken: TEST_START_TOKEN,
    logger,
    apps: readdirSync(dir).map((name) => ({ dir: join(dir, name) })),
    plugins: [{ slug: 'odd', command: ['node', ODD_PLUGIN], env }],
    page: (path) => files.get(path) ?? null,
    limits,
    ...shared,
    ...(bundleOrigin !== undefined && { bundleOrigin }),
  })
  await host.apps.ready()
  await host.plugins.ready()
  if (way === 'socket') return { host, url: (await host.listen(port)).url, close: host.close }
  const front = await serveByFetch(host.fetch, port)
  return { host, url: front.url, close: () => Promise.all([host.close(), front.close()]).then(() => {}) }
}
