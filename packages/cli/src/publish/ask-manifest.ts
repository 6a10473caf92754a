import { limits } from '@svc/contract'
import { createRunner, type PluginSpec } from '@svc/runner'
import { openBench } from '../plug-check/bench.ts'
import { manifestProblems } from '../plug-check/manifest-check.ts'
import { failure } from '../terminal/failure.ts'
import type { PlugFile } from './plug-file.ts'

/**
 * Asks a plugin for its manifest on this machine: by the command of its file, else installed as its distribution says.
 * Errors: `config`, `failed` where the plugin does not answer a manifest.
 */
export async function askManifest(
  file: Pick<PlugFile, 'command' | 'dir' | 'distribution'>,
  signal: AbortSignal,
): Promise<unknown> {
  const { command, dir: cwd, distribution } = file
  const { protocol, sampling } = distribution ?? {}
  const isMcp = protocol === 'mcp'
  if (command && !isMcp) return askCommand(command, cwd, signal)
  const id = 'plugin'
  const version = '0.0.0'
  // Offered sampling or not, an MCP server lists other tools.
  if (command) return askRunner({ id, version, command, cwd, protocol, sampling }, signal)
  if (distribution) return askRunner({ id, version, distribution }, signal)
  throw failure(
    'config',
    'neither command nor distribution says where the plugin is',
    'Give svc.plug.json a command such as ["node", "plugin.ts"].',
  )
}

/** What the runner makes of the answer: it installs, and speaks MCP where the plugin does. */
async function askRunner(plugin: PluginSpec, signal: AbortSignal): Promise<unknown> {
  const runner = createRunner({ homebrew: true, showStderr: true })
  try {
    const deadlineMs = Date.now() + limits.INSTALL_TIMEOUT_MS
    const described = await runner.describe(plugin, { signal, deadlineMs })
    if (described.ok) return described.description
    signal.throwIfAborted()
    throw failure('failed', described.message, 'Or give svc.plug.json a command to ask.', described.code)
  } finally {
    await runner.close()
  }
}

/** The raw answer: the host judges it, and says what it does not take. */
async function askCommand(command: readonly string[], cwd: string, signal: AbortSignal): Promise<unknown> {
  const bench = await openBench({ command, cwd, limits, call: undefined })
  signal.addEventListener('abort', bench.stop)
  const asked = command.join(' ')
  try {
    const answer = await bench.open().ask({ id: 'describe', method: 'describe' })
    signal.throwIfAborted()
    const hint = `svc plug check -- ${asked}`
    if ('problem' in answer)
      throw failure('failed', `${asked} was asked for its description, but ${answer.problem}`, hint)
    const [problem] = manifestProblems(answer.reply.result)
    if (problem !== undefined) throw failure('failed', `the manifest of ${asked} is wrong: ${problem}`, hint)
    return answer.reply.result
  } finally {
    signal.removeEventListener('abort', bench.stop)
    await bench.close()
  }
}
