import path from 'node:path'
import { limits } from '@svc/contract'
import { connectRunner, createRunner, installable, type RemoteState } from '@svc/runner'
import { defineCommand } from 'citty'
import { failure } from '../failure.ts'
import { readHostUrl } from '../host/host-url.ts'
import { endFailure, sayState } from '../runner-states.ts'
import { openFileWarning, readRunnerToken, terminalPrompt } from '../runner-token.ts'
import { runUntilStopped } from '../running.ts'

/** `svc runner`: this machine runs the plugins that its user published. */
export const runner = defineCommand({
  meta: {
    name: 'runner',
    description: 'Connects this machine to a host, which runs your published plugins on it.',
  },
  args: {
    host: { type: 'string', description: 'The host, such as https://apps.site.org.' },
    'token-file': {
      type: 'string',
      description: 'A file with the token; or SVC_RUNNER_TOKEN, or you are asked.',
    },
    dir: {
      type: 'string',
      description: 'Where plugins are installed, for good; left out, a folder that goes when it ends.',
    },
    slots: { type: 'string', description: 'Jobs that run at once; left out, as many as the host allows.' },
    json: { type: 'boolean', default: false, description: 'Prints a line of JSON for each change.' },
  },
  async run({ args }) {
    const { origin: url } = readHostUrl(args.host)
    const slots = args.slots === undefined ? undefined : { jobs: readSlots(args.slots) }
    const token = await readRunnerToken({
      file: args['token-file'],
      env: process.env,
      prompt: terminalPrompt(),
    })
    const file = args['token-file']
    const warning = file === undefined ? null : await openFileWarning(file)
    if (warning !== null) console.error(`svc: ${warning}`)
    const machine = createRunner({
      ...ofUser,
      ...(args.dir !== undefined && { installDir: path.resolve(args.dir) }),
    })
    const say = (state: RemoteState) => {
      const line = args.json ? JSON.stringify(state) : sayState(state, url)
      if (line !== null) console.log(line)
    }
    const link = connectRunner({
      url,
      token,
      runner: machine,
      log: silent,
      onState: say,
      installs: installable(ofUser),
      ...(slots && { slots }),
    })
    try {
      await runUntilStopped(link.close, link.ended)
      const failed = endFailure(await link.ended)
      if (failed) throw failed
    } finally {
      await machine.close()
    }
  },
})

/** The machine is the user's own: formulas, which everybody on it shares, may be installed (design §8). */
const ofUser = { homebrew: true }

/** What a person has to know comes by `onState`. */
const silent = { debug() {}, info() {}, warn() {} }

function readSlots(text: string): number {
  const slots = /^\d{1,3}$/.test(text) ? Number(text) : 0
  const most = limits.JOBS_RUNNING_PER_RUNNER
  if (slots >= 1 && slots <= most) return slots
  throw failure('usage', `--slots must be a whole number from 1 to ${most}, got ${JSON.stringify(text)}`)
}
