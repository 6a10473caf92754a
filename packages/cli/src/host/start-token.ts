import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { linkPrivateFile, readPrivateFile, stateFolder } from '@svc/runner'
import { Failure, failure } from '../terminal/failure.ts'

const TOKEN = /^[\w-]{32,128}$/

/** Where the start token of this user's host for development at a port is kept: each port has one of its own. */
export const startTokenFile = (port: number, env: NodeJS.ProcessEnv = process.env): string =>
  path.join(stateFolder(env), `start-token-${port}`)

/**
 * Returns the start token of this user's host at a port: `SVC_START_TOKEN`, else that of the file, which is made where
 * there is none. Older versions had one file for all ports, whose token no host takes any more: it is deleted.
 * Errors: `config`.
 */
export async function ownStartToken(port: number, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const known = await knownStartToken(port, env)
  if (known !== null) return known
  const file = startTokenFile(port, env)
  try {
    await rm(path.join(path.dirname(file), 'start-token'), { force: true })
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
  return (
    (await knownStartToken(port, env)) ?? Promise.reject(failure('config', `${file} holds no start token`))
  )
}

/** Returns the start token that there is, as `ownStartToken` finds it; `null`: none was made yet. Errors: `config`. */
export async function knownStartToken(
  port: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  if (env.SVC_START_TOKEN) return checked(env.SVC_START_TOKEN, 'SVC_START_TOKEN')
  const file = startTokenFile(port, env)
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
