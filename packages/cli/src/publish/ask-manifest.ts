import { limits } from '@svc/contract'
import { createRunner, type PluginSpec } from '@svc/runner'
import { openBench } from '../plug-check/bench.ts'
import { manifestProblems } from '../plug-check/manifest-check.ts'
import { SPEAKS_MCP, speaksMcp } from '../plug-check/speaks-mcp.ts'
import { VALUES_FILE } from '../project/given-values.ts'
import { searchPath } from '../project/search-path.ts'
import { Failure, failure } from '../terminal/failure.ts'
import { shellText } from '../terminal/shell-text.ts'
import { type AskedValues, openAskedValues } from './asked-values.ts'
import type { PlugFile } from './plug-file.ts'

type AskedFile = Pick<PlugFile, 'command' | 'dir' | 'distribution' | 'reach'>

/**
 * Asks a plugin for its manifest on this machine: by the command of its file, else installed as its distribution says; with
 * the values that its variables have here, or placeholders. What the file says of its reach stands in the manifest. Errors:
 * `config`, `failed` where the plugin does not answer a manifest.
 */
export async function askManifest(
  file: AskedFile,
  signal: AbortSignal,
  say: (line: string) => void = () => undefined,
): Promise<unknown> {
  const asked = openAskedValues(file)
  const { placeholders } = asked
  if (placeholders.length > 0)
    say(`${placeholders.join(', ')} has no value here, so the plugin is asked with a placeholder`)
  try {
    const manifest = await askWith(file, asked, signal)
    return file.reach ? { ...(manifest as object), reach: file.reach } : manifest
  } catch (error) {
    if (placeholders.length === 0 || !(error instanceof Failure)) throw error
    const names = placeholders.join(' ')
    const hint = `It had a placeholder for ${names}: write the value into ${VALUES_FILE} beside svc.plug.json, or export ${names} first.`
    throw failure(error.kind, error.message, hint, error.code)
  } finally {
    asked.close()
  }
}

async function askWith(file: AskedFile, { values, env: given }: AskedValues, signal: AbortSignal) {
  const { command, dir: cwd, distribution, reach } = file
  const { protocol, sampling, start_ms: startMs } = distribution ?? {}
  if (command && protocol !== 'mcp') return askCommand(command, { cwd, env: given }, signal)
  const id = 'plugin'
  const version = '0.0.0'
  const env = { PATH: searchPath(cwd), ...given }
  // Offered sampling or not, an MCP server lists other tools.
  if (command) return askRunner({ id, version, command, cwd, env, protocol, sampling, startMs }, signal)
  if (distribution) return askRunner({ id, version, distribution, reach, values }, signal)
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

const MCP_FILE_HINT = 'Write "protocol": "mcp" under distribution in svc.plug.json.'

/** The raw answer: the host judges it, and says what it does not take. */
async function askCommand(
  command: readonly string[],
  where: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<unknown> {
  const bench = await openBench({ command, ...where, limits, call: undefined })
  signal.addEventListener('abort', bench.stop)
  const asked = command.join(' ')
  try {
    const answer = await bench.open().ask({ id: 'describe', method: 'describe' })
    signal.throwIfAborted()
    const hint = `svc plug check -- ${shellText(command)}`
    if (!('reply' in answer && answer.reply.result) && (await speaksMcp(bench)))
      throw failure('failed', `${asked} was asked for its description, but ${SPEAKS_MCP}`, MCP_FILE_HINT)
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
