import { type CommandSpec, type Failure, failure, type PluginSpec } from '../link.ts'

/** Until when somebody waits for an install. */
export interface Wait {
  /** Unix ms. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** What is installed on this machine. Nothing in it throws or rejects. */
export interface Installs {
  /**
   * How a plugin is started: at once where it needs no install or has had it, else after its install, which two who
   * ask share and which goes on when one of them leaves.
   */
  commandOf(plugin: PluginSpec, wait: Wait): CommandSpec | Promise<CommandSpec | Failure>
  /** Ends what is under way; what is installed stays for the next start. */
  close(): Promise<void>
}

/** Opens the installs of a machine. */
export function openInstalls(): Installs {
  return {
    commandOf: (plugin) =>
      'command' in plugin
        ? plugin
        : Promise.resolve(failure('plug_unavailable', `${plugin.id} has no installer.`)),
    async close() {},
  }
}
