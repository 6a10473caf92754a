import type { Distribution } from '@svc/contract'
import { limits } from '@svc/contract/limits'
import { EXECUTABLE_NAME, PACKAGE_NAMES, PACKAGE_VERSION } from '@svc/contract/package-names'
import { hasControls } from '@svc/contract/reach'
import { mayBeNamed } from '@svc/contract/variable-name'
import { problem } from './problem.ts'

const fits = (pattern: RegExp | undefined) => (value: unknown) =>
  typeof value === 'string' && pattern?.test(value) === true

const isText = (value: unknown) => typeof value === 'string' && !hasControls(value)

/** What its program starts with: another variable than an author may name would run other code. */
const needs: Readonly<Record<string, (value: unknown) => boolean>> = {
  args: (value) => Array.isArray(value) && value.length <= limits.PLUG_ARGS_MAX && value.every(isText),
  env: (value) => typeof value === 'object' && value !== null && Object.entries(value).every(isVariable),
  cwd: isText,
  start_ms: (value) =>
    Number.isInteger(value) &&
    Number(value) >= limits.PLUG_START_MIN_MS &&
    Number(value) <= limits.PLUG_START_MAX_MS,
  session: (value) => value === 'call' || value === 'window' || value === 'agent',
}

function isVariable([name, one]: readonly [string, unknown]): boolean {
  if (!mayBeNamed(name) || isText(one)) return mayBeNamed(name)
  if (typeof one !== 'object' || one === null) return false
  return !('default' in one) || one.default === undefined || isText(one.default)
}

/**
 * Refuses a distribution whose names are not such as a host publishes: a host that lies could name a file outside of the
 * install, or an option of a package manager. Throws which field that is.
 */
export function judgeDistribution(distribution: Distribution): void {
  const { type } = distribution
  const names: Readonly<Record<string, (value: unknown) => boolean>> = {
    executable_name: fits(EXECUTABLE_NAME),
    package_name: fits(new Map<string, RegExp>(Object.entries(PACKAGE_NAMES)).get(type)),
    version: fits(PACKAGE_VERSION),
    ...needs,
  }
  for (const [field, value] of Object.entries(distribution))
    if (value !== undefined && names[field]?.(value) === false)
      throw problem(
        `its ${field} is not such as a host publishes, got ${JSON.stringify(value)?.slice(0, 100)}`,
        'Publish it again.',
      )
}
