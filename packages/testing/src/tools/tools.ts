import type { Context, Plugin, Tool } from '@svc/plugin'

/** What a tool of a test knows of its call: all that a real one does, and `progress` for short. */
export interface ToolCall extends Context {
  /** Sends progress to who called the tool as a job: `emitProgress` of the plugin's context. */
  readonly progress: Context['emitProgress']
}

/** A tool as a test writes it: a function that gets the arguments, and returns JSON or throws. */
// biome-ignore lint/suspicious/noExplicitAny: each tool of a test names the arguments that it takes.
export type ToolFunction = (args: any, call: ToolCall) => unknown

/**
 * The plugins of a test host, by the names under which the manifest declares them: the tools of each by name, as
 * functions, or made with `tool` of `@svc/plugin` where their descriptions and parameters matter; or what a plugin gives
 * to `serve`.
 *
 * @example
 * ```ts
 * const tools = { 'csv-stats': { describe_csv: async ({ csv }) => ({ rows: csv.split('\n').length }) } }
 * ```
 */
export type TestTools = Readonly<Record<string, Plugin | Readonly<Record<string, ToolFunction | Tool>>>>

/** The plugin behind a name of `tools`. */
export function pluginOf(name: string, given: TestTools[string]): Plugin {
  if (isPlugin(given)) return given
  const tools = Object.entries(given).map(([tool, run]) => [
    tool,
    typeof run === 'function' ? toolOf(run) : run,
  ])
  return { name, version: '0.0.0', tools: Object.fromEntries(tools) }
}

/** A tool cannot be called `name` and be a text. */
const isPlugin = (given: TestTools[string]): given is Plugin => typeof given.name === 'string'

const toolOf = (run: ToolFunction): Tool => ({
  run: (args: unknown, context: Context) => run(args, callOf(context)),
})

/** The context of a plugin with its short name; what is taken of it is made only then, as there. */
const callOf = (context: Context): ToolCall => ({
  get invokeId() {
    return context.invokeId
  },
  get deadlineMs() {
    return context.deadlineMs
  },
  get signal() {
    return context.signal
  },
  get session() {
    return context.session
  },
  get samplingToken() {
    return context.samplingToken
  },
  remainingMs: () => context.remainingMs(),
  log: (...what) => context.log(...what),
  emitProgress: (data, type) => context.emitProgress(data, type),
  progress: (data, type) => context.emitProgress(data, type),
  uploadFile: (file) => context.uploadFile(file),
})
