import { limits } from '@svc/contract'
import { spoken } from '@svc/runner'
import { defineCommand } from 'citty'
import type { Finding } from '../../checks/check.ts'
import { reportOf, rowOf, sumOf } from '../../checks/report.ts'
import { isSilent } from '../../checks/run-checks.ts'
import { interruptible } from '../../host/running.ts'
import { type CheckOptions, checkPlugin } from '../../plug-check/check-plugin.ts'
import { envArgs, envOf } from '../../plug-check/env-args.ts'
import { onEachSave } from '../../plug-check/on-each-save.ts'
import { protocolArgs, protocolOf } from '../../plug-check/protocol-args.ts'
import { linkForCommand } from '../../project/link-packages.ts'
import { commandAfterDashes } from '../../terminal/after-dashes.ts'
import { exitCodes, failure } from '../../terminal/failure.ts'
import { print, printError } from '../../terminal/print.ts'
import { readArgs, readMs } from '../../terminal/read-args.ts'

/** `svc plug check`: the stdio protocol against any command. */
export const check = defineCommand({
  args: {
    tool: {
      type: 'string',
      description: 'A tool to call: its answer, its progress and its cancel are checked too.',
    },
    args: { type: 'string', description: 'The arguments of the call: JSON, @file or - for stdin.' },
    timeout: { type: 'string', description: 'How long the call may take, in ms; left out, 65000.' },
    ...protocolArgs,
    ...envArgs,
    watch: {
      type: 'boolean',
      default: false,
      description: 'Checks again after each save, until it is stopped.',
    },
    json: { type: 'boolean', default: false, description: 'Prints one line of JSON instead of the table.' },
  },
  async run({ args, rawArgs }) {
    const command = commandAfterDashes(rawArgs, 'svc plug check -- node plugin.ts')
    linkForCommand(command)
    if (args.tool === undefined && args.args !== undefined)
      throw failure('usage', '--args is given without --tool', 'Name the tool that takes them.')
    const call =
      args.tool === undefined
        ? undefined
        : {
            tool: args.tool,
            args: await readArgs(args.args),
            timeoutMs: readMs('timeout', args.timeout, {
              preset: limits.SYNC_TIMEOUT_DEFAULT_MS,
              min: limits.SYNC_TIMEOUT_MIN_MS,
              max: limits.JOB_DEADLINE_MAX_MS,
            }),
          }
    const cwd = process.cwd()
    const env = envOf(rawArgs, cwd)
    // An MCP server is checked through the adapter that a runner starts it with.
    const started = spoken({ id: '', version: '', command, ...protocolOf(args) })
    const once = (signal: AbortSignal) =>
      checkOnce({ command: started.command, call, cwd, env, signal }, { json: args.json, typed: command })
    const again = async (signal: AbortSignal) => {
      await once(signal)
      printError('svc: checks again when the plugin is saved')
    }
    if (args.watch) await interruptible((signal) => onEachSave({ cwd, command, signal }, again))
    else if (!(await interruptible(once))) process.exitCode = exitCodes.failed
  },
})

/** Checks, and prints what was found. Returns whether nothing was. */
async function checkOnce(
  options: CheckOptions,
  { json, typed }: { readonly json: boolean; readonly typed: readonly string[] },
): Promise<boolean> {
  if (!json) print(`\n  ${typed.join(' ')}\n`)
  const shown: Finding[] = []
  const findings = await checkPlugin({
    ...options,
    onCall: (why) => printError(`svc: calls ${options.call?.tool} ${why}`),
    onFinding(finding) {
      // What could not be asked of a plugin that did not answer would hide why it did not.
      const isNews = !isSilent(shown) || finding.verdict.kind !== 'left_out'
      shown.push(finding)
      if (!json && isNews) print(rowOf(finding))
    },
  })
  const report = reportOf(findings)
  print(json ? JSON.stringify(report) : `\n  ${sumOf(findings)}\n`)
  return report.ok
}
