import { limits } from '@svc/contract'
import { createRunner, type Runner } from '@svc/runner'
import { defineCommand } from 'citty'
import { interruptible } from '../../host/running.ts'
import { linkForCommand } from '../../project/link-packages.ts'
import { commandAfterDashes } from '../../terminal/after-dashes.ts'
import { callOnce, hintOf } from '../../terminal/call-once.ts'
import { failure } from '../../terminal/failure.ts'
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
    json: { type: 'boolean', default: false, description: 'Prints the outcome as one line of JSON.' },
  },
  async run({ args, rawArgs }) {
    const command = commandAfterDashes(rawArgs, 'svc plug call --tool echo -- node plugin.ts')
    linkForCommand(command)
    const kind = args['as-job'] ? 'job' : 'call'
    const timeoutMs = readMs('timeout', args.timeout, timeouts[kind])
    const given = await readArgs(args.args)
    const runner = createRunner({ showStderr: true })
    const plugin = { id: 'plugin', version: 'local', command, cwd: process.cwd() }
    try {
      const done = await interruptible(async (signal) => {
        const tool = args.tool ?? (await onlyTool(runner, plugin, signal))
        return callOnce(runner, {
          plugin,
          tool,
          kind,
          timeoutMs,
          signal,
          args: given,
          onProgress: ({ type, json }) => console.error(`svc: ${type} ${json}`),
        })
      })
      console.log(args.json ? JSON.stringify({ ok: true, ...done }) : JSON.stringify(done.output, null, 2))
    } finally {
      await runner.close()
    }
  },
})

/** The tool of a plugin that has one. Errors: `failed`, `usage`. */
async function onlyTool(runner: Runner, plugin: Parameters<Runner['describe']>[0], signal: AbortSignal) {
  const described = await runner.describe(plugin, { userId: '', signal })
  if (!described.ok) throw failure('failed', described.message, hintOf(described), described.code)
  const names = described.description.tools.map(({ name }) => name)
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
