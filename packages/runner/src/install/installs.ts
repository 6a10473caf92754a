import { createHash } from 'node:crypto'
import type { Clock } from '@svc/node'
import type { Log } from '../port/log.ts'
import { spoken } from '../port/protocol.ts'
import {
  type CommandSpec,
  type Failure,
  failure,
  type InstalledSpec,
  type PluginSpec,
} from '../port/runner.ts'
import type { InstalledFiles, InstallStore } from './install-store.ts'
import { installMethodOf, type Machine } from './installers.ts'
import { localState } from './local.ts'
import { installFailure, problem } from './problem.ts'
import { openTurns } from './turns.ts'
import { waitShared } from './wait-shared.ts'

/** Until when somebody waits for an install. */
export interface Wait {
  /** Unix ms. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** What is installed on this machine. Nothing in it throws or rejects. */
export interface Installs {
  /**
   * How a plugin is started: at once where it needs no install or has had it, else after its install, which two callers
   * share and which continues when one of them leaves.
   */
  commandOf(plugin: PluginSpec, wait: Wait): Promise<CommandSpec | Failure>
  /** Ends what is under way; what is installed stays for the next start. */
  close(): Promise<void>
}

/** What the installs of a machine need. */
export interface InstallParts {
  readonly machine: Machine
  readonly store: InstallStore
  readonly clock: Clock
  readonly log: Log
}

/** Opens the installs of a machine. */
export function openInstalls({ machine, store, clock, log }: InstallParts): Installs {
  const { limits } = machine
  /** How installs came out, and until when that is taken for true. */
  const known = new Map<string, { readonly outcome: CommandSpec | Failure; readonly untilMs: number }>()
  const commands = new WeakMap<CommandSpec, CommandSpec>()
  const underWay = new Map<string, Promise<CommandSpec | Failure>>()
  const turns = openTurns(limits.INSTALLS_AT_ONCE)
  const closing = new AbortController()

  /** From a distribution to a command. Only what is not there yet waits for a turn. */
  async function command(plugin: InstalledSpec, late: AbortController): Promise<InstalledFiles> {
    const way = await installMethodOf(plugin, machine)
    if ('command' in way) return { command: way.command, files: [] }
    const name = digestOf([plugin.id, plugin.distribution.type, ...way.identity])
    const there = await store.find(name)
    if (there) return there
    const release = await turns.take()
    const takeBack = clock.setTimer(() => late.abort(), limits.INSTALL_TIMEOUT_MS)
    const signal = AbortSignal.any([closing.signal, late.signal])
    try {
      signal.throwIfAborted()
      return await store.place(name, (folder) => way.fill(folder, signal))
    } finally {
      takeBack()
      release()
    }
  }

  async function install(key: string, plugin: InstalledSpec): Promise<CommandSpec | Failure> {
    const { id, version, distribution } = plugin
    const about = { plugin: id, version, distribution: distribution.type }
    const late = new AbortController()
    const startedMs = clock.now()
    try {
      closing.signal.throwIfAborted()
      const installed = await command(plugin, late)
      const { protocol, sampling, session, start_ms: startMs } = distribution
      const { intact } = installed
      const looked = intact && {
        async intact() {
          const changed = await intact()
          if (changed !== null) known.delete(key)
          return changed
        },
      }
      const { reach } = plugin
      const started = { id, version, ...installed, ...looked, reach, protocol, sampling, session, startMs }
      const spec = spoken(started)
      know(key, spec, limits.INSTALL_KNOWN_MS)
      log.info({ ...about, event: 'plugin_installed', ms: clock.now() - startedMs }, 'a plugin is installed')
      return spec
    } catch (error) {
      if (closing.signal.aborted) return isClosing
      const tooLong = problem(`it took more than ${limits.INSTALL_TIMEOUT_MS} ms`)
      const why = installFailure(plugin, late.signal.aborted ? tooLong : error)
      know(key, why, limits.INSTALL_RETRY_MS)
      log.warn(
        { ...about, event: 'plugin_not_installed', problem: why.message },
        'a plugin could not be installed',
      )
      return why
    } finally {
      underWay.delete(key)
    }
  }

  function know(key: string, outcome: CommandSpec | Failure, ms: number): void {
    const now = clock.now()
    for (const [other, { untilMs }] of known) if (untilMs <= now) known.delete(other)
    known.set(key, { outcome, untilMs: now + ms })
  }

  return {
    async commandOf(plugin, wait) {
      if ('command' in plugin) {
        // The same object each time: by it the pool knows the processes of a plugin.
        const command = commands.get(plugin) ?? spoken(plugin)
        commands.set(plugin, command)
        return command
      }
      const key = keyOf(plugin)
      const before = known.get(key)
      if (before && clock.now() < before.untilMs) return before.outcome
      const shared = underWay.get(key) ?? install(key, plugin)
      underWay.set(key, shared)
      return waitShared(shared, () => isInstalling(plugin), wait, clock)
    },
    async close() {
      closing.abort()
      await Promise.all(underWay.values())
      await store.close()
    },
  }
}

const isInstalling = ({ id }: InstalledSpec) =>
  failure('plug_unavailable', `${id} is still being installed.`, { retriable: true })

const isClosing = failure('agent_unavailable', 'The runner is closing.', { retriable: true })

/** What a caller asks for; of a local file also how it stands, so that a changed one is installed again. */
const keyOf = ({ id, version, distribution, frozenAt, reach }: InstalledSpec): string =>
  JSON.stringify([
    id,
    version,
    distribution,
    frozenAt ?? null,
    reach ?? null,
    distribution.type === 'local' ? localState(distribution) : '',
  ])

const digestOf = (identity: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(identity)).digest('hex')
