import path from 'node:path'
import { limits } from '@svc/contract'
import {
  connectRunner,
  createRunner,
  installable,
  type Log,
  type OfferedPlugin,
  openPluginAnswers,
  type RemoteState,
  stateFolder,
} from '@svc/runner'
import { defineCommand } from 'citty'
import { readAllow } from '../allow/allow-option.ts'
import { terminalAsker } from '../allow/ask-plugin.ts'
import { pluginGate } from '../allow/plugin-gate.ts'
import { pluginLine } from '../allow/plugin-line.ts'
import { readHostUrl } from '../host/host-url.ts'
import { isolationArg, isolationNote, readIsolation } from '../host/isolation.ts'
import { endFailure, stateLine } from '../host/runner-states.ts'
import { openFileWarning, readRunnerToken, terminalPrompt } from '../host/runner-token.ts'
import { runUntilStopped } from '../host/running.ts'
import { failure } from '../terminal/failure.ts'
import { takeTokenOutOfEnvironment } from '../terminal/hide-token.ts'

/** `svc runner`: this machine runs the plugins that its user published. */
export const runner = defineCommand({
  args: {
    host: { type: 'string', description: 'The host, such as https://apps.site.org.' },
    'token-file': {
      type: 'string',
      description: 'A file with the token; or SVC_RUNNER_TOKEN, or you are asked.',
    },
    dir: {
      type: 'string',
      description:
        'Where plugins are installed permanently; by default a folder that is deleted when it ends.',
    },
    slots: { type: 'string', description: 'Jobs that run at once; left out, as many as the host allows.' },
    isolation: isolationArg,
    allow: {
      type: 'string',
      description:
        'Plugins of others to run: own (none, the default), all, or TOOL_ID[@DIGEST], several with commas; repeatable.',
    },
    json: { type: 'boolean', default: false, description: 'Prints a line of JSON for each change.' },
  },
  async run({ args, rawArgs }) {
    const fromEnvironment = takeTokenOutOfEnvironment()
    const { base: url } = readHostUrl(args.host)
    const allowed = readAllow(rawArgs)
    const slots = args.slots === undefined ? undefined : { jobs: readSlots(args.slots) }
    const token = await readRunnerToken({
      file: args['token-file'],
      env: { SVC_RUNNER_TOKEN: fromEnvironment },
      prompt: terminalPrompt(),
    })
    const file = args['token-file']
    const warning = file === undefined ? null : await openFileWarning(file)
    if (warning !== null) console.error(`svc: ${warning}`)
    const answers = await readAnswers(token)
    const machine = createRunner({
      ...ofUser,
      isolation: readIsolation(args.isolation),
      log: forPerson,
      ...(args.dir !== undefined && { installDir: path.resolve(args.dir) }),
    })
    // Whoever read the lines may go, as `head` does: what runs here continues.
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    const say = (state: RemoteState) => {
      const line = args.json ? JSON.stringify(state) : stateLine(state, url)
      if (line !== null) console.log(line)
    }
    const walls = isolationNote(machine.isolation)
    if (walls !== null && !args.json) console.error(`svc: ${walls}`)
    const closing = new AbortController()
    const { walls: hasWalls } = machine.isolation
    const allow = pluginGate({
      allowed,
      answers,
      ask: terminalAsker(closing.signal),
      say: (text) => console.error(`svc: ${text}`),
      onFirst: (plugin) =>
        console.log(args.json ? pluginJson(plugin, hasWalls) : pluginLine(plugin, hasWalls)),
      words: (plugin) => pluginLine(plugin, hasWalls),
    })
    const link = connectRunner({
      url,
      token,
      runner: machine,
      allow,
      log: forPerson,
      onState: say,
      installs: installable(ofUser),
      ...(slots && { slots }),
    })
    try {
      await runUntilStopped(link.close, link.ended)
      const failed = endFailure(await link.ended)
      if (failed) throw failed
    } finally {
      closing.abort()
      await machine.close()
    }
  },
})

/** The machine is the user's own: formulas, which everybody on it shares, may be installed. */
const ofUser = { homebrew: true }

const TOLD: ReadonlySet<unknown> = new Set(['plugin_without_walls', 'token_not_stored'])

/** Of the link a person hears by `onState`, and of a plugin the host tells who uses it. */
const forPerson: Log = {
  debug() {},
  info() {},
  warn(fields, message) {
    if ('event' in fields && TOLD.has(fields.event)) console.error(`svc: ${message}`)
  },
}

const readAnswers = (token: string) =>
  openPluginAnswers({ dir: stateFolder(), token }).catch((error: Error) => {
    throw failure('config', `the answers about plugins could not be read: ${error.message}`)
  })

function pluginJson(plugin: OfferedPlugin, walls: boolean): string {
  const { id: tool_id, author, version, distribution, reach, digest } = plugin
  return JSON.stringify({ state: 'runs', tool_id, author, version, distribution, reach, digest, walls })
}

function readSlots(text: string): number {
  const slots = /^\d{1,3}$/.test(text) ? Number(text) : 0
  const most = limits.JOBS_RUNNING_PER_RUNNER
  if (slots >= 1 && slots <= most) return slots
  throw failure('usage', `--slots must be a whole number from 1 to ${most}, got ${JSON.stringify(text)}`)
}
