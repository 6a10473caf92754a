import { limits } from '@svc/contract'
import { oneOf } from '@svc/node/options'
import { type Isolation, type IsolationOption, isolate } from '@svc/runner'

const options: readonly IsolationOption[] = ['auto', 'required', 'none']

/** The argument by which a command takes what walls plugins have. */
export const isolationArg = {
  type: 'string',
  default: 'auto',
  rule: oneOf(...options),
  description: 'auto: isolates plugins if this machine can; required: nothing runs without isolation; none.',
} as const

/** What was chosen; the words of a command are judged before it runs. */
export const readIsolation = (text: string): IsolationOption => options.find((one) => one === text) ?? 'auto'

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
