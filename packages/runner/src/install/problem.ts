import { type InstallFault, Refusal, refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { withoutSecrets } from '../lines/plain-text.ts'
import { type Failure, failure, type InstalledSpec } from '../port/runner.ts'

/** Why an install failed that another try may cure: the end of a sentence, and how to put it right. */
export const problem = (why: string, hint?: string): Refusal =>
  refuse('plug_unavailable', why, hint === undefined ? undefined : { hint })

/** Why an install failed that its author can put right. */
export const fault = (reason: InstallFault, why: string, hint?: string): Refusal =>
  refuse('invalid_arg', why, { reason, ...(hint !== undefined && { hint }) })

/** Does what may refuse what its author gave: the refusal then has this reason. */
export async function withFault<Value>(reason: InstallFault, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Refusal ? fault(reason, error.message) : error
  }
}

/**
 * The failure that a caller gets for a failed install: the plugin, how it is distributed and why; what to do is in
 * `details.hint`.
 */
export function installFailure({ id, distribution }: InstalledSpec, error: unknown): Failure {
  const { type } = distribution
  const why =
    error instanceof Refusal ? error.message : `the file system of the runner returned ${codeOf(error)}`
  const { reason, hint } = (error instanceof Refusal && error.details) || {}
  const code = reason === undefined ? 'plug_unavailable' : 'invalid_arg'
  return failure(code, `${id} could not be installed (${type}): ${why}`, {
    distribution: type,
    ...(reason !== undefined && { reason }),
    ...(hint !== undefined && { hint }),
  })
}

/** The code alone: Node's sentences name folders that nobody chose. */
const codeOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'something odd'

const NOISE = /A complete log of this run|^\s*(npm (error|warn|ERR!)\s*(\w+\s*)?)?$/

/**
 * The last lines of an installer's output, short enough for a sentence. `names` are folders and what they are called
 * instead; what comes before the host of a URL or after the name of a secret is left out.
 */
export function lastLines(
  output: string,
  names: ReadonlyMap<string, string>,
  { INSTALL_OUTPUT_SHOWN_LINES: lines, INSTALL_OUTPUT_SHOWN_CHARS: chars }: Limits,
): string {
  const shown = withoutSecrets(output)
    .split(/[\r\n]+/)
    .filter((line) => !NOISE.test(line))
    .slice(-lines)
    .map((line) => line.trim())
    .join(' | ')
  const named = [...names].reduce((text, [folder, name]) => text.replaceAll(folder, name), shown)
  return named.length > chars ? `…${named.slice(-chars)}` : named
}
