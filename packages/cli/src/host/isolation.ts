import { limits } from '@svc/contract'
import { type Isolation, type IsolationOption, isolate } from '@svc/runner'
import { failure } from '../terminal/failure.ts'

const options: readonly IsolationOption[] = ['auto', 'required', 'none']

/** The argument by which a command takes what walls plugins have. */
export const isolationArg = {
  type: 'string',
  default: 'auto',
  description: 'auto: isolates plugins if this machine can; required: nothing runs without isolation; none.',
} as const

/** Reads what walls plugins are to have. Errors: `usage`. */
export function readIsolation(text: string): IsolationOption {
  const option = options.find((one) => one === text)
  if (option) return option
  throw failure('usage', `--isolation must be ${options.join(', ')}, got ${JSON.stringify(text)}`)
}

/** What this machine has. */
export const isolationHere = (): Isolation => isolate('auto', limits.ISOLATION_PROBE_MS)

/** What a person has to know of it before plugins run; nothing where there are walls. */
export function isolationNote({ walls, problem, hint, option }: Isolation): string | null {
  if (walls) return null
  const what =
    option === 'auto'
      ? 'published plugins do not run, and your own plugins run with your rights'
      : 'plugins run with your rights'
  const told = option === 'required' ? 'plugins do not run' : what
  return [`WARNING: ${problem}: ${told}.`, hint].filter(Boolean).join('\n')
}
