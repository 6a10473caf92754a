import { limits } from '../limits/index.ts'
import { hasControls, isAbsolutePath, isPlainPath } from '../values/absolute-path.ts'
import { strictObject } from '../values/strict-object.ts'
import { text } from '../values/text.ts'
import { isVariableName, mayBeNamed } from '../values/variable-name.ts'
import * as z from '../values/zod.ts'
import { type Needs, namesIn, shapeOf, wrongName } from './needs.ts'

/** Names that a runner gives a value itself, besides those of `env`. */
export const runnerNames: readonly string[] = ['HOME']

const seen = (maxChars: number) =>
  text(maxChars).refine((value) => !hasControls(value), 'must not hold control characters')
const written = seen(limits.PLUG_START_TEXT_MAX_CHARS)

const variable = strictObject({
  description: seen(limits.PLUG_VARIABLE_TEXT_MAX_CHARS).optional(),
  secret: z.boolean().optional(),
  required: z.boolean().optional(),
  default: written.optional(),
})

const env = z.record(z.string(), z.union([written, variable])).superRefine((variables, check) => {
  const names = Object.keys(variables)
  const refuse = (path: string[], message: string) => check.addIssue({ code: 'custom', path, message })
  if (names.length > limits.PLUG_VARIABLES_MAX)
    refuse([], `must have at most ${limits.PLUG_VARIABLES_MAX} variables`)
  for (const name of names)
    if (!isVariableName(name) || name.length > limits.NAME_MAX_CHARS)
      refuse([name], 'must have a name of letters, digits and underscores, such as API_KEY')
    else if (!mayBeNamed(name))
      refuse([name], 'must have another name: this one belongs to the system, or runs other code')
})

/** What a process of a plugin is started with, as its author publishes it. */
export const needsShape = {
  /** What it speaks on its stdio: the plugin protocol (docs/reference/stdio.md), or MCP. */
  protocol: z.enum(['svc', 'mcp']).optional(),
  /** Whether an MCP server may ask the host for completions: its manifest then lists `llm.sample`. */
  sampling: z.boolean().optional(),
  /** Arguments of its program. */
  args: z.array(written).max(limits.PLUG_ARGS_MAX).optional(),
  /** Its variables: a text, or what its user gives. */
  env: env.optional(),
  /** The folder that it starts in. */
  cwd: written
    .refine(
      (value) => isAbsolutePath(value) || value.startsWith('${'),
      'must be an absolute path, or begin with ${NAME}',
    )
    .refine(
      (value) => isPlainPath(shapeOf(value)),
      'must not hold the folders . or .., nor two slashes in a row',
    )
    .optional(),
  /** How long its start may take. */
  start_ms: z.int().min(limits.PLUG_START_MIN_MS).max(limits.PLUG_START_MAX_MS).optional(),
  /** Who shares a process: calls of one app, one window, or one session of an agent. */
  session: z.enum(['call', 'window', 'agent']).optional(),
}

/** Refuses names that nobody gives a value. */
export function judgeNames({ args = [], env = {}, cwd }: Needs, check: z.RefinementCtx): void {
  const variables = Object.keys(env).filter((name) => typeof env[name] === 'object')
  const judge = (value: string | undefined, path: (string | number)[], names: readonly string[]) => {
    const message = value === undefined ? null : namesFault(value, names)
    if (message !== null) check.addIssue({ code: 'custom', path, message })
  }
  for (const [at, value] of args.entries()) judge(value, ['args', at], Object.keys(env))
  for (const [name, one] of Object.entries(env))
    if (typeof one === 'string') judge(one, ['env', name], variables)
    else judge(one.default, ['env', name, 'default'], [])
  judge(cwd, ['cwd'], Object.keys(env))
  const bytes = new TextEncoder().encode(JSON.stringify({ args, env, cwd })).length
  const max = limits.PLUG_NEEDS_MAX_BYTES
  if (bytes > max)
    check.addIssue({
      code: 'custom',
      path: ['env'],
      message: `must have at most ${max} bytes of JSON with args and cwd, got ${bytes}`,
    })
}

/** What is wrong with the names in a text, as the end of a sentence; `names` are those that have a value. */
export function namesFault(value: string, names: readonly string[]): string | null {
  const wrong = wrongName(value)
  if (wrong !== null) return `must not hold ${wrong}: write \${NAME}, or $\${NAME} for the text itself`
  const unknown = namesIn(value).find((name) => !names.includes(name) && !runnerNames.includes(name))
  if (unknown === undefined) return null
  return names.length === 0
    ? `must not name \${${unknown}}: env names no variable that could be meant`
    : `must not name \${${unknown}}: it is not one of the variables of env (${names.join(', ')})`
}
