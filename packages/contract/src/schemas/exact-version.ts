import { isSemver } from '../values/semver.ts'
import type { Distribution } from './distribution.ts'

/** A version of a Python package as PEP 440 writes it down: `1.2.3`, `2024.1`, `1.0rc1`. */
const PEP_440 = /^(\d+!)?\d+(\.\d+)*((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?(\+[a-z0-9]+([._-][a-z0-9]+)*)?$/i

/** Where a registry may have another package tomorrow: whether a text names one version of it. */
const isExact = {
  npm: isSemver,
  uv: (version: string) => PEP_440.test(version),
  pipx: (version: string) => PEP_440.test(version),
} as const

/** Whether the registry decides later what is installed: there is no version, or a range or a tag. */
export function isFloating(distribution: Distribution): boolean {
  const { type } = distribution
  if (type !== 'npm' && type !== 'uv' && type !== 'pipx') return false
  return distribution.version === undefined || !isExact[type](distribution.version)
}
