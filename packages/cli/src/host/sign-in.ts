import { readFile } from 'node:fs/promises'
import { routeCall } from '@svc/contract/route-client'
import { failure } from '../terminal/failure.ts'
import { bodyOf, type HostClient, openClient, send } from './client.ts'
import { type HostUrl, readHostUrl } from './host-url.ts'
import { knownStartToken } from './start-token.ts'

/** The options by which a command reaches a host. */
export const hostArgs = {
  host: { type: 'string', description: 'The host, such as http://127.0.0.1:8787, with its base path.' },
  user: { type: 'string', description: 'Signs in by name, on a host for development on this machine.' },
  'cookie-file': {
    type: 'string',
    description: 'A file with the Cookie header of a sign-in; or SVC_COOKIE.',
  },
} as const

/** The values of `hostArgs`. */
export interface HostArgs {
  readonly host?: string | undefined
  readonly user?: string | undefined
  readonly 'cookie-file'?: string | undefined
}

/**
 * Signs in to the host that the options name. A cookie is never an argument: those are read by every process of the
 * machine. Errors: `usage`, `config`, `host`, `unreachable`.
 */
export async function connect(args: HostArgs, env: NodeJS.ProcessEnv = process.env): Promise<HostClient> {
  const url = readHostUrl(args.host)
  return openClient(url, await cookieOf(url, args, env))
}

/** The Cookie header that the options give; null where they name nobody. Errors: those of `connect`. */
export async function optionalCookie(
  url: HostUrl,
  args: HostArgs,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  const isNamed = (args.user ?? args['cookie-file'] ?? env.SVC_COOKIE) !== undefined
  return isNamed ? cookieOf(url, args, env) : null
}

async function cookieOf(url: HostUrl, args: HostArgs, env: NodeJS.ProcessEnv): Promise<string> {
  const file = args['cookie-file']
  if (args.user !== undefined && file !== undefined)
    throw failure('usage', '--user and --cookie-file both say who you are', 'Give one of the two.')
  if (args.user !== undefined) return devCookie(url, args.user, await knownStartToken(env))
  if (file !== undefined) return headerOf(await readCookieFile(file), file)
  if (env.SVC_COOKIE !== undefined) return headerOf(env.SVC_COOKIE, 'SVC_COOKIE')
  throw failure(
    'usage',
    'nobody is signed in',
    url.isLoopback
      ? 'Name a user: --user ada. On a host with a sign-in of its own, SVC_COOKIE or --cookie-file.'
      : 'Put the Cookie header of your sign-in into SVC_COOKIE or a --cookie-file.',
  )
}

/** The development sign-in: any name, on loopback alone, with the start token of this user. */
async function devCookie(url: HostUrl, user: string, startToken: string | null): Promise<string> {
  if (!url.isLoopback)
    throw failure('usage', '--user is for a host on this machine', 'Use SVC_COOKIE or --cookie-file.')
  const response = await send(url, routeCall('POST /api/v1/auth/dev-login', { body: { user } }), {
    ...(startToken !== null && { authorization: `Bearer ${startToken}` }),
  })
  await bodyOf(response, url.base)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const readCookieFile = (file: string) =>
  readFile(file, 'utf8').catch((error: Error) => {
    throw failure('config', `the cookie could not be read: ${error.message}`)
  })

/** A Cookie header, however much of its line was copied. */
function headerOf(text: string, from: string): string {
  const header = text.trim().replace(/^cookie:\s*/i, '')
  if (/^[^\s=;]+=[^\r\n]+$/.test(header)) return header
  throw failure('config', `${from} holds no Cookie header`, 'It is one line such as svc_signin=…')
}
