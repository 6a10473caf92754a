import type { ToolParameter } from '@svc/contract/stdio'
import type { Context } from './context.ts'

/** The TypeScript type behind a JSON type name of a parameter; any other name reads as `unknown`. */
interface JsonTypes {
  string: string
  number: number
  integer: number
  boolean: boolean
  array: unknown[]
  object: Record<string, unknown>
}

type ValueOf<P extends ToolParameter> = P['type'] extends keyof JsonTypes ? JsonTypes[P['type']] : unknown
type IsGiven<P extends ToolParameter> = P extends
  | { required: true }
  | { default: string | number | boolean | object }
  ? true
  : false

/** The arguments that a list of parameters promises: required ones and those with a default are always there. */
export type Args<P extends readonly ToolParameter[]> = number extends P['length']
  ? Record<string, unknown>
  : { [One in P[number] as IsGiven<One> extends true ? One['name'] : never]: ValueOf<One> } & {
      [One in P[number] as IsGiven<One> extends true ? never : One['name']]?: ValueOf<One> | undefined
    }

/** What an author says about one tool. */
export interface ToolOptions<P extends readonly ToolParameter[]> {
  /** One sentence for people and models. */
  readonly description?: string
  /** The arguments; checked before `run` sees them. */
  readonly parameters?: P
  /** JSON Schema of the arguments, where `parameters` says too little; it is published, not checked. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** JSON Schema of what `run` returns: `svc types` makes the type of the result from it. It is published, not checked. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** How long the tool may take, in ms; the host clamps it to 1 000–90 000. */
  readonly timeoutMs?: number
  /** It destroys or sends what cannot be had back: the user is asked before each call. */
  readonly destructive?: boolean
  /** Does the work. What it returns is the payload; what it throws is the tool's failure. */
  run(args: Args<P>, ctx: Context): unknown
}

/** A tool as `serve` takes it. */
export interface Tool {
  /** What it does, for a model. */
  readonly description?: string
  /** Its parameters. */
  readonly parameters?: readonly ToolParameter[]
  /** The JSON Schema of its arguments, in place of `parameters`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** The JSON Schema of what it returns. */
  readonly outputSchema?: Readonly<Record<string, unknown>>
  /** How long a call may take, in ms; the host clamps it to 1 000–90 000. */
  readonly timeoutMs?: number
  /** It destroys or sends what cannot be had back: the user is asked before each call. */
  readonly destructive?: boolean
  /** Does the work, and returns JSON. What it throws fails the call. */
  run(args: never, ctx: Context): unknown
}

/**
 * Makes a tool; the types of `args` follow from `parameters`.
 *
 * @example
 * ```ts
 * const index = tool({
 *   description: 'Indexes a folder.',
 *   parameters: [{ name: 'folder', type: 'string', required: true }],
 *   async run({ folder }, ctx) {
 *     const files = await list(folder)
 *     for (const [at, file] of files.entries()) {
 *       ctx.signal.throwIfAborted()
 *       await add(file)
 *       ctx.emitProgress({ percent: (100 * (at + 1)) / files.length })
 *     }
 *     return { files: files.length }
 *   },
 * })
 * ```
 */
export function tool<const P extends readonly ToolParameter[] = readonly ToolParameter[]>(
  options: ToolOptions<P>,
): Tool {
  return options
}
