import { stat } from 'node:fs/promises'
import { failure } from '../terminal/failure.ts'
import { readTextFile } from '../terminal/text-file.ts'

/** Where a token may come from; never an argument, which every process of the machine can read. */
export interface TokenSources {
  readonly file: string | undefined
  readonly env: NodeJS.ProcessEnv
  /** Asks a person for it; `null` where nobody is there to be asked. */
  readonly prompt: (() => Promise<string>) | null
}

const HINT = 'It begins with svcr_ and is shown once, when a machine is enrolled: on the page under Runners.'

/** Reads the token of this machine: from a file, else SVC_RUNNER_TOKEN, else from a terminal. Errors: `usage`, `config`. */
export async function readRunnerToken({ file, env, prompt }: TokenSources): Promise<string> {
  if (file !== undefined) return checked(readTextFile(file), file)
  if (env.SVC_RUNNER_TOKEN !== undefined) return checked(env.SVC_RUNNER_TOKEN, 'SVC_RUNNER_TOKEN')
  if (prompt) return checked(await prompt(), 'what was typed')
  throw failure('usage', 'there is no token', `Put it into SVC_RUNNER_TOKEN or a --token-file. ${HINT}`)
}

/** What is to be said of a token file that others can read; `null`: nobody else can, or the system has no such modes. */
export async function openFileWarning(file: string, platform = process.platform): Promise<string | null> {
  if (platform === 'win32') return null
  const mode = (await stat(file)).mode & 0o777
  if ((mode & 0o077) === 0) return null
  return `others can read the token in ${file} (mode ${mode.toString(8)}); make it private: chmod 600`
}

/** The text itself is never shown: it may be another secret. */
function checked(text: string, from: string): string {
  const token = text.trim()
  if (/^svcr_[\w-]+$/.test(token)) return token
  throw failure('config', `${from} holds no runner token`, HINT)
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const BACKSPACE = new Set(['\u007f', '\b'])

/** Reads one line of a terminal without showing it; `null` if stdin is not one. */
export function terminalPrompt(
  stdin = process.stdin,
  stderr = process.stderr,
): (() => Promise<string>) | null {
  if (!stdin.isTTY) return null
  return async () => {
    stderr.write('Runner token: ')
    stdin.setRawMode(true)
    let typed = ''
    try {
      // The terminal is read on, by questions about plugins.
      for await (const chunk of stdin.iterator({ destroyOnReturn: false }))
        for (const key of String(chunk)) {
          if (key === CTRL_C) throw failure('usage', 'no token was given')
          if (key === '\r' || key === '\n' || key === CTRL_D) return typed
          typed = BACKSPACE.has(key) ? typed.slice(0, -1) : typed + key
        }
      return typed
    } finally {
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
  }
}
