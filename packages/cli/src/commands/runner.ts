import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
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
import { type AllowList, allowRule, readAllow } from '../allow/allow-option.ts'
import { terminalAsker } from '../allow/ask-plugin.ts'
import { pluginGate } from '../allow/plugin-gate.ts'
import { pluginLine } from '../allow/plugin-line.ts'
import { hostUrlRule, readHostUrl } from '../host/host-url.ts'
import { isolationArg, isolationNote, readIsolation } from '../host/isolation.ts'
import { endFailure, stateLine } from '../host/runner-states.ts'
import { openFileWarning, readRunnerToken, terminalPrompt } from '../host/runner-token.ts'
import { runUntilStopped, type Starting } from '../host/running.ts'
import { failure } from '../terminal/failure.ts'
import { takeTokenOutOfEnvironment } from '../terminal/hide-token.ts'
import { print, printError } from '../terminal/print.ts'
import { wholeText } from '../terminal/text-rules.ts'

/** `svc runner`: this machine runs the plugins that its user published. */
export const runner = defineCommand({
  args: {
    host: { type: 'string', rule: hostUrlRule, description: 'The host, such as https://apps.site.org.' },
    'token-file': {
      type: 'string',
      description: 'A file with the token; or SVC_RUNNER_TOKEN, or you are asked.',
    },
    dir: {
      type: 'string',
      description:
        'Where plugins are installed permanently; by default a folder that is deleted when it ends.',
    },
    slots: {
      type: 'string',
      rule: wholeText(1, limits.JOBS_RUNNING_PER_RUNNER),
      description: 'Jobs that run at once; left out, as many as the host allows.',
    },
    isolation: isolationArg,
    homebrew: {
      type: 'boolean',
      default: false,
      description: 'Lets plugins be installed by Homebrew, which cannot be isolated.',
    },
    allow: {
      type: 'string',
      rule: allowRule,
      many: true,
      description:
        'Plugins of others to run: own (none, the default), all, or TOOL_ID[@DIGEST], several with commas; repeatable.',
    },
    json: { type: 'boolean', default: false, description: 'Prints a line of JSON for each change.' },
  },
  run: ({ args, rawArgs }) => runUntilStopped((starting) => start(args, readAllow(rawArgs), starting)),
})

/** The values of its options. */
interface RunnerArgs {
  readonly host?: string | undefined
  readonly 'token-file'?: string | undefined
  readonly dir?: string | undefined
  readonly slots?: string | undefined
  readonly isolation: string
  readonly homebrew: boolean
  readonly json: boolean
}

async function start(args: RunnerArgs, allowed: AllowList, { wait, open }: Starting) {
  // The token goes out of the environment by a process in the place of this one, which would not hear of a signal that
  // this one has caught: two turns of the loop tell it.
  for (let turns = 0; turns < 2; turns++) await wait(setImmediate())
  const fromEnvironment = takeTokenOutOfEnvironment()
  const { base: url } = readHostUrl(args.host)
  const file = args['token-file']
  const token = await wait(
    readRunnerToken({ file, env: { SVC_RUNNER_TOKEN: fromEnvironment }, prompt: terminalPrompt() }),
  )
  const warning = file === undefined ? null : await openFileWarning(file)
  if (warning !== null) printError(`svc: ${warning}`)
  const answers = await wait(readAnswers(token))
  const machine = await open(
    Promise.resolve(
      createRunner({
        homebrew: args.homebrew,
        isolation: readIsolation(args.isolation),
        log: forPerson,
        ...(args.dir !== undefined && { installDir: path.resolve(args.dir) }),
      }),
    ),
    (machine) => machine.close(),
  )
  // Whoever read the lines may go, as `head` does: what runs here continues.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const say = (state: RemoteState) => {
    const line = args.json ? JSON.stringify(state) : stateLine(state, url)
    if (line !== null) print(line)
  }
  const walls = isolationNote(machine.isolation)
  if (walls !== null && !args.json) printError(`svc: ${walls}`)
  const closing = await open(Promise.resolve(new AbortController()), (closing) => closing.abort())
  const { walls: hasWalls } = machine.isolation
  const allow = pluginGate({
    allowed,
    answers,
    ask: terminalAsker(closing.signal),
    say: (text) => printError(`svc: ${text}`),
    onFirst: (plugin) => print(args.json ? pluginJson(plugin, hasWalls) : pluginLine(plugin, hasWalls)),
    words: (plugin) => pluginLine(plugin, hasWalls),
  })
  const link = await open(
    Promise.resolve(
      connectRunner({
        url,
        token,
        runner: machine,
        allow,
        log: forPerson,
        onState: say,
        installs: installable({ homebrew: args.homebrew }),
        ...(args.slots !== undefined && { slots: { jobs: Number(args.slots) } }),
      }),
    ),
    (link) => link.close(),
  )
  const ended = link.ended.then((end) => {
    const failed = endFailure(end)
    if (failed) throw failed
  })
  return { ended }
}

const TOLD: ReadonlySet<unknown> = new Set(['plugin_without_walls', 'token_not_stored'])

/** Of the link a person hears by `onState`, and of a plugin the host tells who uses it. */
const forPerson: Log = {
  debug() {},
  info() {},
  warn(fields, message) {
    if ('event' in fields && TOLD.has(fields.event)) printError(`svc: ${message}`)
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
