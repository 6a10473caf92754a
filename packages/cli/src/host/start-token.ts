import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { linkPrivateFile, readPrivateFile, stateFolder } from '@svc/runner'
import { Failure, failure } from '../terminal/failure.ts'

const TOKEN = /^[\w-]{32,128}$/

/** Where the start token of this user is kept, for every host for development that he starts. */
export const startTokenFile = (env: NodeJS.ProcessEnv = process.env): string =>
  path.join(stateFolder(env), 'start-token')

/**
 * Returns the start token of this user: `SVC_START_TOKEN`, else that of the file, which is made where there is none.
 * Errors: `config`.
 */
export async function ownStartToken(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const known = await knownStartToken(env)
  if (known !== null) return known
  const file = startTokenFile(env)
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    // Of two that start at once, the first one's token stays.
    await linkPrivateFile(file, `${randomBytes(32).toString('base64url')}\n`)
  } catch (error) {
    throw failure(
      'config',
      `the start token could not be kept: ${error instanceof Error ? error.message : String(error)}`,
      'Give one in SVC_START_TOKEN, of 32 letters and digits or more, or a folder of yours in XDG_STATE_HOME.',
    )
  }
  return (await knownStartToken(env)) ?? Promise.reject(failure('config', `${file} holds no start token`))
}

/** Returns the start token that there is, as `ownStartToken` finds it; `null`: none was made yet. Errors: `config`. */
export async function knownStartToken(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  if (env.SVC_START_TOKEN) return checked(env.SVC_START_TOKEN, 'SVC_START_TOKEN')
  const file = startTokenFile(env)
  const text = await readPrivateFile(file, openToOthers).catch((error: Error) => {
    if (error instanceof Failure) throw error
    throw failure('config', `the start token could not be read: ${error.message}`)
  })
  return text === null ? null : checked(text.trim(), file)
}

const openToOthers = (file: string): Failure =>
  failure('config', `${file} can be read by others`, 'Delete it: the next start makes a new one.')

function checked(text: string, from: string): string {
  if (TOKEN.test(text)) return text
  throw failure('config', `${from} holds no start token`, 'It is 32 to 128 letters, digits, _ and -.')
}
