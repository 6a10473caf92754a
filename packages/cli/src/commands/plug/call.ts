import { didYouMean, limits } from '@svc/contract'
import { type CommandSpec, createRunner, type Runner } from '@svc/runner'
import { defineCommand } from 'citty'
import { interruptible } from '../../host/running.ts'
import { envArgs, envOf } from '../../plug-check/env-args.ts'
import { protocolArgs, protocolOf } from '../../plug-check/protocol-args.ts'
import { describesAsMcp, mcpHint, SPEAKS_MCP } from '../../plug-check/speaks-mcp.ts'
import { linkForCommand } from '../../project/link-packages.ts'
import { searchPath } from '../../project/search-path.ts'
import { commandAfterDashes } from '../../terminal/after-dashes.ts'
import { type CallReport, callOnce, hintOf, type OnceOptions } from '../../terminal/call-once.ts'
import { failure } from '../../terminal/failure.ts'
import { print, printError } from '../../terminal/print.ts'
import { readArgs, readMs } from '../../terminal/read-args.ts'

/** How long a call may take, by its kind: as `tools.invoke` and `tools.invokeAsync` have it. */
const timeouts = {
  call: {
    preset: limits.SYNC_TIMEOUT_DEFAULT_MS,
    min: limits.SYNC_TIMEOUT_MIN_MS,
    max: limits.SYNC_TIMEOUT_MAX_MS,
  },
  job: {
    preset: limits.JOB_DEADLINE_DEFAULT_MS,
    min: limits.JOB_DEADLINE_MIN_MS,
    max: limits.JOB_DEADLINE_MAX_MS,
  },
} as const

/** `svc plug call`: one call of one tool, on this machine and without a host. */
export const call = defineCommand({
  args: {
    tool: { type: 'string', description: 'The tool; left out, the only one that the plugin has.' },
    args: { type: 'string', description: 'Its arguments: JSON, @file or - for stdin; left out, {}.' },
    timeout: { type: 'string', description: 'In ms; left out, 65000, and 1800000 of a job.' },
    'as-job': { type: 'boolean', default: false, description: 'With the bounds of a job: longer, smaller.' },
    ...protocolArgs,
    ...envArgs,
    json: { type: 'boolean', default: false, description: 'Prints the outcome as one line of JSON.' },
  },
  async run({ args, rawArgs }) {
    const command = commandAfterDashes(rawArgs, 'svc plug call --tool echo -- node plugin.ts')
    linkForCommand(command)
    const kind = args['as-job'] ? 'job' : 'call'
    const timeoutMs = readMs('timeout', args.timeout, timeouts[kind])
    const given = await readArgs(args.args)
    const runner = createRunner({ showStderr: true })
    const cwd = process.cwd()
    const env = { PATH: searchPath(cwd), ...envOf(rawArgs, cwd) }
    const plugin = { id: 'plugin', version: 'local', command, cwd, env, ...protocolOf(args) }
    try {
      const done = await interruptible(async (signal) => {
        const names = () => toolNames(runner, plugin, { signal, words: rawArgs })
        const tool = args.tool ?? (await onlyTool(names))
        return callTool(runner, names, {
          plugin,
          tool,
          kind,
          timeoutMs,
          signal,
          args: given,
          onProgress: ({ type, json }) => printError(`svc: ${type} ${json}`),
        })
      })
      print(args.json ? JSON.stringify({ ok: true, ...done }) : JSON.stringify(done.output, null, 2))
    } finally {
      await runner.close()
    }
  },
})

/**
 * The names of the tools of a plugin, or why it does not say them. Errors: `usage`, of an MCP server that `words` do not call
 * one.
 */
async function toolNames(
  runner: Runner,
  plugin: CommandSpec,
  { signal, words }: { readonly signal: AbortSignal; readonly words: readonly string[] },
) {
  const described = await runner.describe(plugin, { userId: '', signal })
  if (described.ok) return described.description.tools.map(({ name }) => name)
  if (await describesAsMcp(runner, plugin, signal))
    throw failure('usage', `the plugin cannot be called: ${SPEAKS_MCP}`, mcpHint('svc plug call', words))
  return described
}

type AskNames = () => ReturnType<typeof toolNames>

/** Calls a tool; of one that the plugin does not have it says which there are. Errors: those of `callOnce`. */
async function callTool(runner: Runner, askNames: AskNames, options: OnceOptions): Promise<CallReport> {
  try {
    return await callOnce(runner, options)
  } catch (error) {
    options.signal.throwIfAborted()
    const { tool } = options
    const names = await askNames()
    if (!Array.isArray(names) || names.includes(tool)) throw error
    const sentence = `the plugin has no tool ${JSON.stringify(tool)}${didYouMean(tool, names)}`
    throw failure('usage', sentence, `Its tools are ${names.join(', ')}.`)
  }
}

/** The tool of a plugin that has one. Errors: `failed`, `usage`. */
async function onlyTool(askNames: AskNames): Promise<string> {
  const names = await askNames()
  if (!Array.isArray(names)) throw failure('failed', names.message, hintOf(names), names.code)
  const [only] = names
  if (only !== undefined && names.length === 1) return only
  throw failure(
    'usage',
    only === undefined ? 'the plugin has no tool' : 'the plugin has more than one tool',
    only === undefined
      ? 'svc plug check says what it describes.'
      : `Name one with --tool: ${names.join(', ')}`,
  )
}
