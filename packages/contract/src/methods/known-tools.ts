/**
 * The tools that an app knows when it is compiled: plugin → tool → its arguments and its result. `svc types` writes a
 * file that adds to it; where nothing does, every call of a tool is typed as one of any tool.
 *
 * @example
 * ```ts
 * declare module '@svc/sdk' {
 *   interface KnownTools {
 *     weather: { forecast: { args: { city: string }; result: { sky: string } } }
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: what adds to it is in the program of an app.
export interface KnownTools {}

/** Plugins that an app declares and whose tools are not known when it is compiled, by the names of the manifest. */
// biome-ignore lint/suspicious/noEmptyInterface: what adds to it is in the program of an app.
export interface OpenTools {}

/** A plugin by the name under which it is called. */
type PluginName = (keyof KnownTools | keyof OpenTools) & string

/** An object of which nothing is known: what it is assignable to needs no members. */
type Empty = Record<never, never>

/** Whether a name is only known when the app runs: `string` and `tool-${string}` are, a literal is not. */
type IsDynamic<Name extends string> = Empty extends Record<Name, 1> ? true : false

/** Plugin and tool of a tool_id that names both. */
type Split<Id> = SplitAt<Id, '.'> | SplitAt<Id, '__'>
type SplitAt<
  Id,
  Separator extends string,
> = Id extends `${infer Plugin extends PluginName}${Separator}${infer Tool}` ? [Plugin, Tool] : never

/** The tool that a call names; `never` where it is not known. */
type ToolOf<Id, Tool> = Found<Id extends keyof KnownTools ? [Id, Tool] : Split<Id>>
type Found<Names> = Names extends [infer Plugin extends keyof KnownTools, infer Tool]
  ? Tool extends keyof KnownTools[Plugin]
    ? KnownTools[Plugin][Tool]
    : never
  : never

type ToolNames<Plugin> = Plugin extends keyof KnownTools ? keyof KnownTools[Plugin] & string : never

/** The `tool_id` of a call: the name itself where a call may have it, else those that it may have. */
export type CheckedId<Id extends string> = [PluginName] extends [never]
  ? Id
  : IsDynamic<Id> extends true
    ? Id
    : Id extends PluginName
      ? Id
      : [Split<Id>] extends [never]
        ? PluginName
        : CheckedPair<Id, Split<Id>>
type CheckedPair<Id, Names> = Names extends [infer Plugin, infer Tool]
  ? Plugin extends keyof KnownTools
    ? Tool extends keyof KnownTools[Plugin]
      ? Id
      : `${Plugin}.${ToolNames<Plugin>}`
    : Id
  : never
/** The tool of a plugin: the name itself where the plugin has it, else those that it has. */
export type CheckedTool<Id, Tool extends string> = Id extends keyof KnownTools
  ? IsDynamic<Tool> extends true
    ? Tool
    : Tool extends keyof KnownTools[Id]
      ? Tool
      : ToolNames<Id>
  : Tool

/** What every call of a tool takes. */
interface ToolNaming {
  /** The plugin, or that and the tool in one. */
  tool_id: string
  /** The tool of the plugin. */
  method?: string | undefined
  /** The arguments of the tool. */
  args?: Record<string, unknown> | undefined
}

type IdPart<Args extends ToolNaming, Id extends string> = {
  [Key in keyof Pick<Args, 'tool_id'>]: CheckedId<Id>
}

/** A literal that names a plugin alone needs the tool beside it. */
type MethodPart<Args extends ToolNaming, Id extends string, Tool extends string> =
  IsDynamic<Id> extends true
    ? { [Key in keyof Pick<Args, 'method'>]: Tool | undefined }
    : Id extends PluginName
      ? { [Key in keyof Pick<Args, 'method'>]-?: CheckedTool<Id, Tool> }
      : { [Key in keyof Pick<Args, 'method'>]: Tool | undefined }

type ArgsPart<Args extends ToolNaming, Known> = [Known] extends [never]
  ? Pick<Args, 'args'>
  : Known extends { args: infer Own }
    ? Empty extends Own
      ? { [Key in keyof Pick<Args, 'args'>]: Own | undefined }
      : { [Key in keyof Pick<Args, 'args'>]-?: Own }
    : Pick<Args, 'args'>

/**
 * The arguments of a call that names a tool, `Id` and `Tool` as the call writes them. A name that `KnownTools` and
 * `OpenTools` do not have is an error where there are any, and not one that is only known when the app runs.
 */
export type KnownCall<Args extends ToolNaming, Id extends string, Tool extends string> = IdPart<Args, Id> &
  MethodPart<Args, Id, Tool> &
  ArgsPart<Args, ToolOf<Id, Tool>> &
  Omit<Args, keyof ToolNaming>

/** The arguments of a tool, for a function that takes them by themselves: left out only where the tool needs none. */
export type KnownArgs<Id extends string, Tool extends string> = ArgsOf<ToolOf<Id, Tool>>
type ArgsOf<Known> = [Known] extends [never]
  ? [args?: Record<string, unknown>]
  : Known extends { args: infer Own }
    ? Empty extends Own
      ? [args?: Own]
      : [args: Own]
    : [args?: Record<string, unknown>]

/** What such a call returns: what the tool says, else what the caller takes it for. */
export type KnownResult<Result, Id extends string, Tool extends string> = [ToolOf<Id, Tool>] extends [never]
  ? Result
  : ToolOf<Id, Tool> extends { result: infer Own }
    ? Own
    : Result

/** The name of a tool: those that are known, and any other. */
export type ToolName = [keyof KnownTools] extends [never]
  ? string
  : { [Plugin in keyof KnownTools]: ToolNames<Plugin> }[keyof KnownTools] | (string & {})

/**
 * The arguments of a known tool.
 *
 * @example
 * ```ts
 * const args: ToolArgs<'weather', 'forecast'> = { city: 'Rome' }
 * ```
 */
export type ToolArgs<
  Plugin extends keyof KnownTools,
  Tool extends keyof KnownTools[Plugin],
> = KnownTools[Plugin][Tool] extends { args: infer Own } ? Own : Record<string, unknown>

/**
 * The result of a known tool, for what does not start with a call, such as a job that was found again.
 *
 * @example
 * ```ts
 * const job = svc.tools.job<ToolPayload<'weather', 'forecast'>>(jobId)
 * ```
 */
export type ToolPayload<
  Plugin extends keyof KnownTools,
  Tool extends keyof KnownTools[Plugin],
> = KnownTools[Plugin][Tool] extends { result: infer Own } ? Own : Record<string, unknown>

type Scalar = string | number | boolean | readonly unknown[]

/**
 * What a call returns of an output of this type: an object as it is, nothing and `null` as `{}`, anything else as
 * `{ value }`. The file of `svc types` uses it for tools that do not always return an object.
 */
export type Payload<Output> = unknown extends Output
  ? Record<string, unknown>
  :
      | Exclude<Output, Scalar | null | undefined>
      | ([Extract<Output, Scalar>] extends [never] ? never : { value: Extract<Output, Scalar> })
      | ([Extract<Output, null | undefined>] extends [never] ? never : Record<string, never>)
