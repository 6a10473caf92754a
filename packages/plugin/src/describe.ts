import type { Reach } from '@svc/contract/reach'
import type { HostCapability, PluginDescription } from '@svc/contract/stdio'
import type { Tool } from './tool.ts'

/** What an author gives to `serve`. */
export interface Plugin {
  /** The name of the plugin. */
  readonly name: string
  /** Its version, SemVer. */
  readonly version?: string
  /** The tools by name. */
  readonly tools: Readonly<Record<string, Tool>>
  /**
   * What the plugin asks of the host: completions and sessions of the kind `complete` (`llm.sample`), agent sessions of
   * either submode (`llm.agent.auto`, `llm.agent.fixed`), files (`host.upload`). Nothing else is given.
   */
  readonly hostCapabilities?: readonly HostCapability[]
  /** The credentials a user has to give before the tools work: each a name, or `{name, description?}`. */
  readonly credentials?: readonly unknown[]
  /**
   * The hosts and folders that it needs beyond its own folder, such as `{ hosts: ['api.example.com'] }`: its user is
   * asked, and nothing else is reached.
   */
  readonly reach?: Reach
}

/** The manifest that the plugin returns for `describe`. */
export function describe(plugin: Plugin): PluginDescription {
  return {
    name: plugin.name,
    ...(plugin.version !== undefined && { version: plugin.version }),
    tools: Object.entries(plugin.tools).map(([name, tool]) => ({
      name,
      ...(tool.description !== undefined && { description: tool.description }),
      parameters: tool.parameters ?? [],
      ...(tool.inputSchema && { input_schema: tool.inputSchema }),
      ...(tool.outputSchema && { output_schema: tool.outputSchema }),
      ...(tool.destructive && { destructive: true }),
      ...(tool.timeoutMs !== undefined && { timeout_ms: tool.timeoutMs }),
    })),
    ...(plugin.credentials && { credentials: plugin.credentials }),
    ...(plugin.reach && { reach: plugin.reach }),
    ...(plugin.hostCapabilities && { host_capabilities: plugin.hostCapabilities }),
  }
}
