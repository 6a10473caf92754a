import { Refusal, refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { type Failure, failure, type InstalledSpec } from '../link.ts'

/** Why an install failed: the end of a sentence, and how to put it right. */
export const problem = (why: string, hint?: string): Refusal =>
  refuse('plug_unavailable', why, hint === undefined ? undefined : { hint })

/** What a caller is told of a failed install: the plugin, how it is distributed and why; what to do is in `details.hint`. */
export function installFailure({ id, distribution }: InstalledSpec, error: unknown): Failure {
  const { type } = distribution
  const why = error instanceof Refusal ? error.message : `the disk of the runner said ${codeOf(error)}`
  const hint = error instanceof Refusal ? error.details?.hint : undefined
  return failure('plug_unavailable', `${id} could not be installed (${type}): ${why}`, {
    distribution: type,
    ...(hint !== undefined && { hint }),
  })
}

/** The code alone: Node's sentences name folders that nobody chose. */
const codeOf = (error: unknown): string =>
  error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.name) : 'something odd'

const NOISE = /A complete log of this run|^\s*(npm (error|warn|ERR!)\s*\w*\s*)?$/
const SECRET =
  /\/\/[^/\s]+@|((?:auth|token|passw|secret|_key)[\w-]*["']?\s*[=:]\s*(?:(?:basic|bearer|token)\s+)?)\S+/gi

/**
 * The last lines of an installer's output, short enough for a sentence. `names` are folders and what they are called
 * instead; what stands before the host of a URL or behind the name of a secret is left out.
 */
export function lastLines(
  output: string,
  names: ReadonlyMap<string, string>,
  { INSTALL_OUTPUT_SHOWN_LINES: lines, INSTALL_OUTPUT_SHOWN_CHARS: chars }: Limits,
): string {
  const shown = output
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would take for colours
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, '')
    .replace(SECRET, (_whole, name?: string) => (name ? `${name}…` : '//…@'))
    .split(/[\r\n]+/)
    .filter((line) => !NOISE.test(line))
    .slice(-lines)
    .map((line) => line.trim())
    .join(' | ')
  const named = [...names].reduce((text, [folder, name]) => text.replaceAll(folder, name), shown)
  return named.length > chars ? `…${named.slice(-chars)}` : named
}
