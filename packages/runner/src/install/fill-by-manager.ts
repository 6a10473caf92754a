import { join } from 'node:path'
import { compareSemver, isSemver } from '@svc/contract/semver'
import { chooseStart } from './choose.ts'
import type { CommandPart } from './command-part.ts'
import { findSettings } from './manager-settings.ts'
import { managers, named, type Order, type PackageDistribution } from './managers.ts'
import { problem } from './problem.ts'
import type { RunTool } from './run-tool.ts'
import { startOf } from './start.ts'

/** Installs a package into a fresh folder, and returns what starts it. */
export async function fillByManager(
  order: Order,
  run: RunTool,
  signal: AbortSignal,
): Promise<readonly CommandPart[]> {
  const { distribution, folder } = order
  const manager = managers[distribution.type]
  const { program, isShared = false, at, since } = manager
  const env = manager.env(folder)
  const settings = findSettings(manager, order.npmRegistry === undefined ? [] : [order.npmRegistry])
  const ask = (...args: string[]) =>
    run({ program, args, folder, settings, isWalled: !isShared, env, signal })
  if (since !== undefined) judgeAge(distribution.type, since, (await ask('--version')).trim())
  await ask(...manager.args(order), '--', named(distribution, at))
  const { executables, root, python } = await manager.found(order, ask)
  const path = chooseStart(executables, distribution.executable_name, distribution.package_name)
  const words = await startOf(root ?? folder, path, python)
  return root === undefined
    ? words
    : words.map((word) => (typeof word === 'string' ? word : join(root, word.in)))
}

function judgeAge(type: PackageDistribution['type'], since: string, version: string): void {
  if (isSemver(version) && compareSemver(version, since) >= 0) return
  const { program } = managers[type]
  throw problem(
    `${program} must be at least ${since}, got ${version}`,
    'An older one may run install scripts: npm install --global npm@latest.',
  )
}

/** The refusal where the package manager of a distribution is not on this machine. */
export const notHere = ({ type }: PackageDistribution) =>
  problem(`${managers[type].program} is not on this machine`, `Install it from ${managers[type].from}.`)
