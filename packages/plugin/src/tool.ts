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
  /** How long the tool may take, in ms; the host clamps it to 1 000–90 000 (decision 5). */
  readonly timeoutMs?: number
  /** Does the work. What it returns is the payload; what it throws is the tool's failure. */
  run(args: Args<P>, ctx: Context): unknown
}

/** A tool as `serve` takes it. */
export interface Tool {
  readonly description?: string
  readonly parameters?: readonly ToolParameter[]
  readonly inputSchema?: Readonly<Record<string, unknown>>
  readonly timeoutMs?: number
  run(args: never, ctx: Context): unknown
}

/** Makes a tool; the types of `args` follow from `parameters` (design §10). */
export function tool<const P extends readonly ToolParameter[] = readonly ToolParameter[]>(
  options: ToolOptions<P>,
): Tool {
  return options
}
