import type { PluginDescription } from '@svc/contract/stdio'
import type { Context } from './context.ts'

/** A plugin that learns only while it runs which tools it has, as one does that stands in front of another program. */
export interface LivePlugin {
  /** Answers each `describe`; what it throws is a JSON-RPC error. */
  describe(): PluginDescription | Promise<PluginDescription>
  /** Runs a tool; arguments come as the caller gave them. The rest is as with `run` of a tool. */
  call(name: string, args: Record<string, unknown>, ctx: Context): unknown
  /** The last thing before the process exits. */
  close?(): Promise<void>
}

/** Whether a plugin answers for itself which tools it has. */
export const isLive = <Other extends object>(plugin: LivePlugin | Other): plugin is LivePlugin =>
  'call' in plugin
