import { rounds } from '@svc/conformance/rounds'
import { limits } from '@svc/contract/limits'
import { type IsolatorName, isolators } from '../isolation/isolators.ts'
import { bestIsolator, problemOf } from '../isolation/probes.ts'

const names = Object.keys(isolators) as IsolatorName[]

/** The best isolator of this machine, whose kernel ends a tree, and the best of those that look for it; a release has all. */
export const someIsolators = [
  ...new Set<IsolatorName>([bestIsolator(limits.ISOLATION_PROBE_MS, { walls: true }), 'marked', ...names]),
].slice(0, rounds(names.length, 2))

/** Skips a test of an isolator that this machine does not allow, and says why. */
export function needsIsolator(name: IsolatorName, skip: (condition: boolean, note: string) => void): void {
  const problem = problemOf(name, limits.ISOLATION_PROBE_MS)
  skip(problem !== null, `${name} may not be used here: ${problem}`)
}
