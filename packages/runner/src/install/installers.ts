import type { Distribution } from '@svc/contract'
import type { Limits } from '@svc/contract/limits'
import type { PublicFetch } from '@svc/node/public-fetch'
import { findProgram } from '../isolation/program.ts'
import type { InstalledSpec } from '../port/runner.ts'
import { binaryMethod } from './binary.ts'
import { fillByManager, notHere } from './fill-by-manager.ts'
import type { InstallMethod } from './install-method.ts'
import { judgeDistribution } from './judge-distribution.ts'
import { localMethod } from './local.ts'
import { managers, type PackageDistribution } from './managers.ts'
import { problem } from './problem.ts'
import type { RunTool } from './run-tool.ts'

/** What installing needs of the machine. */
export interface Machine {
  readonly limits: Limits
  /** Unix ms. */
  readonly now: () => number
  readonly fetch: PublicFetch
  readonly run: RunTool
  readonly npmRegistry: string | undefined
  /** Whether formulas may be installed: they go to a place that everybody on the machine uses. */
  readonly homebrew: boolean
}

type Installer<Type extends Distribution['type']> = (
  distribution: Extract<Distribution, { type: Type }>,
  plugin: InstalledSpec,
  machine: Machine,
) => Promise<InstallMethod>

const byManager = async (
  distribution: PackageDistribution,
  { version, frozenAt }: InstalledSpec,
  machine: Machine,
): Promise<InstallMethod> => {
  const { package_name, executable_name = '' } = distribution
  const integrity = 'integrity' in distribution ? distribution.integrity : undefined
  const before = beforeOf(distribution, frozenAt, machine)
  return {
    // Without a version of its own the package goes with the plugin's: each gets what is the newest then.
    identity: [
      package_name,
      distribution.version ?? `newest for ${version}`,
      executable_name,
      ...(integrity === undefined ? [] : [integrity]),
      ...(before === undefined ? [] : [before]),
    ],
    async fill(folder, signal) {
      if (!has(distribution.type)) throw notHere(distribution)
      const { npmRegistry, limits } = machine
      return fillByManager({ distribution, folder, before, npmRegistry, limits }, machine.run, signal)
    },
  }
}

/**
 * Until when what a frozen version needs may have been published; of one that names no version the newest is meant. A
 * time that is not one, or to come, would let in what was never meant.
 */
function beforeOf(
  { type, version }: PackageDistribution,
  frozenAt: number | undefined,
  { limits, now }: Machine,
): string | undefined {
  if (frozenAt === undefined || version === undefined || !managers[type].freezes) return undefined
  const latest = now() + limits.INSTALL_FROZEN_AHEAD_MS
  if (!(frozenAt >= 0 && frozenAt <= latest))
    throw problem(
      `the time at which it was frozen must be Unix ms from 0 to ${latest}, got ${frozenAt}`,
      'Set the clocks of the host and of this machine.',
    )
  return new Date(frozenAt + limits.INSTALL_FROZEN_SLACK_MS).toISOString()
}

/** How each type of distribution is installed and started. */
const installers: { readonly [Type in Distribution['type']]: Installer<Type> } = {
  local: (distribution, _plugin, { limits }) => localMethod(distribution, limits),
  binary: async (distribution, _plugin, machine) => binaryMethod(distribution, machine),
  npm: byManager,
  uv: byManager,
  pipx: byManager,
  async homebrew(distribution, plugin, machine) {
    if (!machine.homebrew)
      throw problem('homebrew is not used here', 'It is on a machine that was enrolled as a runner.')
    return byManager(distribution, plugin, machine)
  },
}

/** How a plugin comes onto this machine. Throws why it cannot. */
export async function installMethodOf(plugin: InstalledSpec, machine: Machine): Promise<InstallMethod> {
  const { distribution } = plugin
  // Over a link it is what a host says.
  if (!Object.hasOwn(installers, distribution.type))
    throw problem('this runner does not know that type', 'Take a newer runner.')
  judgeDistribution(distribution)
  const install = installers[distribution.type] as Installer<Distribution['type']>
  return install(distribution, plugin, machine)
}

const has = (type: PackageDistribution['type']) =>
  findProgram(managers[type].program, '/', process.env.PATH) !== undefined

/** The types of distribution that this machine can install, those of package managers by what is on PATH. */
export function installable({
  homebrew = false,
}: {
  /** Whether formulas of homebrew may be installed. */
  readonly homebrew?: boolean
} = {}): Distribution['type'][] {
  const managed = Object.keys(managers) as PackageDistribution['type'][]
  return ['local', 'binary', ...managed.filter((type) => has(type) && (homebrew || type !== 'homebrew'))]
}
