import { visibleLine } from '@svc/contract/visible-text'
import type { Host } from '@svc/host'
import type { Harness } from './harness.ts'

/** What a started harness is, for a program that reads it (`svc dev --json`). */
export interface HarnessReport {
  readonly url: string
  /** The URL with the start token, for a browser. */
  readonly start_url: string
  readonly storage: string
  /** The data folder; `null`: what is kept is in memory. */
  readonly data: string | null
  readonly apps: readonly { readonly name: string; readonly dir: string }[]
  readonly plugins: readonly PluginReport[]
}

interface PluginReport {
  readonly slug: string
  readonly tool_id: string
  readonly status: string
  readonly problem: string | null
}

/** Describes a harness. */
export async function reportOf({
  url,
  startUrl,
  storage,
  data,
  apps,
  host,
}: Harness): Promise<HarnessReport> {
  return {
    url,
    start_url: startUrl,
    storage,
    data,
    apps: apps.map(({ name, dir }) => ({ name, dir })),
    plugins: await pluginsOf(host),
  }
}

/** The configured plugins of a host, which every user reaches; it asks for none in particular. */
async function pluginsOf(host: Host): Promise<PluginReport[]> {
  const plugins = await host.plugins.of({ userId: '', version: null })
  return plugins.map(({ handle, tool_id, status, problem }) => ({ slug: handle, tool_id, status, problem }))
}

/** The block that `svc dev` prints when everything is up. */
export function block(
  { start_url, storage, data, apps, plugins }: HarnessReport,
  { watch, isListening }: { readonly watch: boolean; readonly isListening: boolean },
): string {
  const rows: (readonly [string, string])[] = [
    ['page', start_url],
    ['apps', apps.map(({ name }) => name).join(', ') || 'none'],
    ['tools', toolsText(plugins)],
    ['storage', storage === 'persistent' ? 'one for all windows of an app' : 'in each window, 256 KB'],
    ['data', data ?? 'in memory: gone when this stops'],
    ['edit', watch ? 'a saved file shows up in its window' : 'not watched'],
    ['stop', 'Ctrl-C'],
    ...(isListening ? [['keys', 'o opens the page, r starts again, c clears data, h helps'] as const] : []),
  ]
  return `\n  svc is running\n${rowsText(rows, plugins)}`
}

/** The block that `svc serve` prints: what the host serves, keeps and lacks. `apps` are the folders of its apps. */
export async function serveBlock(host: Host, apps: readonly string[]): Promise<string> {
  const { state, sign_in, runner, models, base_path, lacks } = host.facts
  const plugins = await pluginsOf(host)
  const rows: [string, string][] = [
    ['apps', apps.join(', ') || 'none'],
    ['tools', toolsText(plugins)],
    ['state', state],
    ['sign-in', sign_in],
    ['runner', runner],
    ['models', models],
    ['path', base_path],
    ['lacks', lacks],
  ]
  return rowsText(rows, plugins)
}

const toolsText = (plugins: readonly PluginReport[]): string =>
  plugins.map(({ slug, status }) => `${slug} (${status})`).join(', ') || 'none'

function rowsText(
  rows: readonly (readonly [name: string, value: string])[],
  plugins: readonly PluginReport[],
): string {
  const problems = plugins.filter(({ problem }) => problem !== null)
  return [
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(8)} ${visibleLine(value)}`),
    ...problems.map(
      ({ slug, problem }) => `\n  The tool ${slug} is not available: ${visibleLine(problem ?? '')}`,
    ),
    '',
  ].join('\n')
}
