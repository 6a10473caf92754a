import { isSemver } from '../values/semver.ts'
import type { Distribution } from './distribution.ts'

/** A version of a Python package as PEP 440 writes it down: `1.2.3`, `2024.1`, `1.0rc1`. */
const PEP_440 = /^(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?(\+[a-z0-9]+([._-][a-z0-9]+)*)?$/i

function isPep440(version: string): boolean {
  return PEP_440.test(version)
}

/** Where a registry may have another package tomorrow: whether a text names one version of it. */
const isExact: Readonly<Record<Distribution['type'], ((version: string) => boolean) | null>> = {
  npm: isSemver,
  uv: isPep440,
  pipx: isPep440,
  // What has no versions to choose from.
  homebrew: null,
  binary: null,
  local: null,
}

/** Whether the registry decides later what is installed: there is no version, or a range or a tag. */
export function isFloating(distribution: Distribution): boolean {
  const namesOne = isExact[distribution.type]
  if (!namesOne || !('package_name' in distribution)) return false
  return distribution.version === undefined || !namesOne(distribution.version)
}
