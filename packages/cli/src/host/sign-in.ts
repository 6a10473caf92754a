import { randomBytes } from 'node:crypto'
import { routeCall } from '@svc/contract/route-client'
import { isSameText, START_PROOF_SCHEME, startProof } from '@svc/node'
import { failure } from '../terminal/failure.ts'
import { readTextFile } from '../terminal/text-file.ts'
import { bodyOf, type HostClient, openClient, send } from './client.ts'
import { type HostUrl, hostUrlRule, readHostUrl } from './host-url.ts'
import { knownStartToken } from './start-token.ts'

/** The options by which a command reaches a host. */
export const hostArgs = {
  host: {
    type: 'string',
    rule: hostUrlRule,
    description: 'The host, such as http://127.0.0.1:8787, with its base path.',
  },
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
  if (args.user !== undefined) return devCookie(url, args.user, env)
  if (file !== undefined) return headerOf(readTextFile(file), file)
  if (env.SVC_COOKIE !== undefined) return headerOf(env.SVC_COOKIE, 'SVC_COOKIE')
  throw failure(
    'usage',
    'nobody is signed in',
    url.isLoopback
      ? 'Name a user: --user ada. On a host with a sign-in of its own, SVC_COOKIE or --cookie-file.'
      : 'Put the Cookie header of your sign-in into SVC_COOKIE or a --cookie-file.',
  )
}

/**
 * The development sign-in: any name, on loopback alone, with the start token of this user. Whoever listens there may be
 * another user of the machine, so the token is not sent: both sides prove that they have it.
 */
async function devCookie(url: HostUrl, user: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (!url.isLoopback)
    throw failure('usage', '--user is for a host on this machine', 'Use SVC_COOKIE or --cookie-file.')
  const startToken = await knownStartToken(portOf(url), env)
  const response = await send(url, routeCall('POST /api/v1/auth/dev-login', { body: { user } }), {
    ...(startToken !== null && { authorization: await proofFor(url, user, startToken) }),
  })
  await bodyOf(response, url.base)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

const portOf = ({ origin }: HostUrl): number => Number(new URL(origin).port || 80)

/** What a sign-in shows in place of the start token, once the host has shown that it has it. Errors: `host`. */
async function proofFor(url: HostUrl, user: string, startToken: string): Promise<string> {
  const own = randomBytes(NONCE_BYTES).toString('base64url')
  const { host } = new URL(url.origin)
  const { nonce, proof } = await openClient(url, '').ask('POST /api/v1/auth/dev-login/proof', {
    body: { nonce: own },
  })
  if (!isSameText(String(proof), startProof(startToken, 'host', [own, String(nonce), host])))
    throw failure(
      'host',
      `what listens at ${url.base} is not a host that you started at this port: it does not know your start token`,
      'Another program may have taken the port. Start your host again, or give the SVC_START_TOKEN that it has.',
      'permission_denied',
    )
  return `${START_PROOF_SCHEME} ${own}.${nonce}.${startProof(startToken, 'client', [own, nonce, host, user])}`
}

const NONCE_BYTES = 32

/** A Cookie header, however much of its line was copied. */
function headerOf(text: string, from: string): string {
  const header = text.trim().replace(/^cookie:\s*/i, '')
  if (/^[^\s=;]+=[^\r\n]+$/.test(header)) return header
  throw failure('config', `${from} holds no Cookie header`, 'It is one line such as svc_signin_8787=…')
}
