import type { Harness } from './harness.ts'

/** What a started harness is, for a program that reads it (`svc dev --json`). */
export interface HarnessReport {
  readonly url: string
  readonly storage: string
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
export async function reportOf({ url, storage, apps, host }: Harness): Promise<HarnessReport> {
  // A configured plugin is reached by every user; the harness asks for none in particular.
  const plugins = await host.plugins.of({ userId: '', version: null })
  return {
    url,
    storage,
    apps: apps.map(({ name, dir }) => ({ name, dir })),
    plugins: plugins.map(({ handle, tool_id, status, problem }) => ({
      slug: handle,
      tool_id,
      status,
      problem,
    })),
  }
}

/** The block that `svc dev` prints when everything stands. */
export function block({ url, storage, apps, plugins }: HarnessReport, watching: boolean): string {
  const rows: [string, string][] = [
    ['page', url],
    ['apps', apps.map(({ name }) => name).join(', ') || 'none'],
    ['tools', plugins.map(({ slug, status }) => `${slug} (${status})`).join(', ') || 'none'],
    ['storage', storage === 'persistent' ? 'kept until the host stops' : 'in each window, 256 KB'],
    ['edit', watching ? 'a saved file shows up in its window' : 'not watched'],
    ['stop', 'Ctrl-C'],
  ]
  const problems = plugins.filter(({ problem }) => problem !== null)
  return [
    '',
    '  svc is running',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(8)} ${value}`),
    ...problems.map(({ slug, problem }) => `\n  The tool ${slug} is not available: ${problem}`),
    '',
  ].join('\n')
}
