import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { type CommandSpec, type Failure, failure, type InstalledSpec, type PluginSpec } from '../link.ts'
import type { Log } from '../log.ts'
import { spoken } from '../protocol.ts'
import { type Machine, wayOf } from './installers.ts'
import { localState } from './local.ts'
import { installFailure, problem } from './problem.ts'
import type { Shelf } from './shelf.ts'
import { openTurns } from './turns.ts'
import { within } from './within.ts'

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

/** What the installs of a machine need. */
export interface InstallParts {
  readonly machine: Machine
  readonly shelf: Shelf
  readonly clock: Clock
  readonly log: Log
}

/** Opens the installs of a machine. */
export function openInstalls({ machine, shelf, clock, log }: InstallParts): Installs {
  const { limits } = machine
  const ready = new Map<string, { readonly spec: CommandSpec; readonly untilMs: number }>()
  const underWay = new Map<string, Promise<CommandSpec | Failure>>()
  const failed = new Map<string, { readonly why: Failure; readonly untilMs: number }>()
  const turns = openTurns(limits.INSTALLS_AT_ONCE)
  const closing = new AbortController()

  /** From a distribution to a command; what is installed already is found again. */
  async function command(plugin: InstalledSpec, signal: AbortSignal): Promise<readonly string[]> {
    const way = await wayOf(plugin, machine)
    if ('command' in way) return way.command
    const name = digestOf([plugin.id, plugin.distribution.type, ...way.identity])
    return (await shelf.find(name)) ?? shelf.place(name, (folder) => way.fill(folder, signal))
  }

  async function install(key: string, plugin: InstalledSpec): Promise<CommandSpec | Failure> {
    const about = { plugin: plugin.id, version: plugin.version, distribution: plugin.distribution.type }
    const late = new AbortController()
    const release = await turns.take()
    const takeBack = clock.setTimer(() => late.abort(), limits.INSTALL_TIMEOUT_MS)
    const startedMs = clock.now()
    try {
      closing.signal.throwIfAborted()
      const started = await command(plugin, AbortSignal.any([closing.signal, late.signal]))
      const { id, version, distribution } = plugin
      const { protocol, sampling } = distribution
      const spec = spoken({ id, version, command: started, protocol, sampling })
      ready.set(key, { spec, untilMs: clock.now() + limits.INSTALL_KNOWN_MS })
      log.info({ ...about, event: 'plugin_installed', ms: clock.now() - startedMs }, 'a plugin is installed')
      return spec
    } catch (error) {
      if (closing.signal.aborted) return isClosing
      const why = late.signal.aborted
        ? installFailure(plugin, problem(`it took more than ${limits.INSTALL_TIMEOUT_MS} ms`))
        : installFailure(plugin, error)
      for (const [other, { untilMs }] of failed) if (untilMs <= clock.now()) failed.delete(other)
      failed.set(key, { why, untilMs: clock.now() + limits.INSTALL_RETRY_MS })
      log.warn(
        { ...about, event: 'plugin_not_installed', problem: why.message },
        'a plugin could not be installed',
      )
      return why
    } finally {
      takeBack()
      release()
      underWay.delete(key)
    }
  }

  return {
    commandOf(plugin, wait) {
      if ('command' in plugin) return plugin
      const key = keyOf(plugin)
      const known = ready.get(key)
      if (known && clock.now() < known.untilMs) return known.spec
      const before = failed.get(key)
      if (before && clock.now() < before.untilMs) return Promise.resolve(before.why)
      failed.delete(key)
      const shared = underWay.get(key) ?? install(key, plugin)
      underWay.set(key, shared)
      return within(shared, plugin, wait, clock)
    },
    async close() {
      closing.abort()
      await Promise.all(underWay.values())
      await shelf.close()
    },
  }
}

const isClosing = failure('agent_unavailable', 'The runner is closing.', { retriable: true })

/** What a caller asks for; of a local file also how it stands, so that a changed one is installed anew. */
const keyOf = ({ id, version, distribution }: InstalledSpec): string =>
  JSON.stringify([id, version, distribution, distribution.type === 'local' ? localState(distribution) : ''])

const digestOf = (identity: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(identity)).digest('hex')
