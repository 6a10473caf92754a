import type { Rule } from './rules.ts'

/** What is wrong with the options that a caller gave; a sentence that names the option, the value and what is allowed. */
export class OptionError extends Error {
  /** Always `OptionError`. */
  override readonly name = 'OptionError'
}

/** Says what is wrong with a value that `rule` should take; `null`: nothing. `name` is what it is called. */
export function optionProblem(rule: Rule, value: unknown, name = ''): string | null {
  try {
    return rule(value, name)
  } catch (error) {
    return `the options could not be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Refuses options that are wrong; `caller` is the function that got them. Errors: `OptionError`. */
export function judgeOptions(caller: string, rule: Rule, value: unknown, name?: string): void {
  const problem = optionProblem(rule, value, name)
  if (problem !== null) throw new OptionError(`${caller}: ${problem}`)
}
