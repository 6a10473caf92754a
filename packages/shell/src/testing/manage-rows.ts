import { BridgeError } from '@svc/bridge'
import type { AppPlug, Install } from '../state/install.ts'
import type { ListedPlug, OwnPlug, PlugVersion } from '../state/plug.ts'
import type { Runner } from '../state/runner.ts'

/** A refusal as the host makes it. */
export const refusal = (
  code: string,
  message: string,
  details: { readonly hint?: string; readonly path?: string } = {},
): BridgeError => new BridgeError({ code, message, details })

/** A plugin with one tool. */
export const plugOf = (name: string, more: Partial<OwnPlug> = {}): OwnPlug => ({
  tool_id: `tool-ada-${name}-1`,
  name,
  type: 'tool',
  version: '1.0.0',
  manifest: { name, version: '1.0.0', tools: [{ name: 'forecast', parameters: [] }] },
  distribution: { type: 'local', path: '/opt/weather' },
  distribution_type: 'local',
  package_name: null,
  executable_name: null,
  visibility: 'private',
  status: 'available',
  problem: null,
  logo_url: null,
  readme: null,
  sample_prompts: [],
  tags: [],
  created_at: '2026-01-01T12:00:00.000Z',
  updated_at: '2026-01-01T12:00:00.000Z',
  ...more,
})

/** A plugin as the list of its owner has it. */
export const listedOf = ({ manifest, ...plug }: OwnPlug): ListedPlug => ({
  ...plug,
  tools: manifest.tools.map(({ name }) => name),
  variables: [],
  publisher: null,
  own: true,
  configured: false,
})

/** A plugin that a version of an app declares. */
export const appPlugOf = (tool_id: string, more: Partial<AppPlug> = {}): AppPlug => ({
  tool_id,
  kind: 'required',
  name: null,
  consent: 'none',
  terms: null,
  ...more,
})

/** A version of the plugin that `plugOf` makes. */
export const versionOf = (version: string): PlugVersion => ({
  tool_id: 'tool-ada-weather-1',
  version,
  status: 'active',
  reason: null,
  successor: null,
  created_at: '2026-01-01T12:00:00.000Z',
})

/** A machine that is online. */
export const runnerOf = (name: string, more: Partial<Runner> = {}): Runner => ({
  runner_id: `rnr_${name}`,
  name,
  state: 'online',
  machine: { platform: 'linux-x64', node: 'v24.1.0', installs: ['npm', 'local'] },
  slots: { jobs: 3, jobs_running: 1, calls_busy: 2 },
  created_at: '2026-01-01T11:00:00.000Z',
  last_seen_at: '2026-01-01T11:59:00.000Z',
  ...more,
})

/** An app that was allowed the web. */
export const installOf = (name: string, more: Partial<Install> = {}): Install => ({
  install_id: `ins_${name}`,
  app_id: `app_${name}`,
  slug: name,
  name,
  version: '1.0.0',
  version_id: `ver_${name}`,
  grants: { web_grant: true },
  asks: { web_grant: true },
  plugs: [],
  approved: [],
  latest_release: null,
  newer: null,
  build_problem: null,
  views: [],
  created_at: '2026-01-01T12:00:00.000Z',
  ...more,
})
