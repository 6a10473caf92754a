import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { failure } from './failure.ts'
import { PORT_MAX } from './text-rules.ts'
import { lineAgain } from './typed.ts'

/** Makes the line that is typed to take another port. */
export type PortLine = (port: number) => string

/** How many ports above one that is in use are tried. */
const NEXT_PORTS = 20

/** Listens on a port of loopback for a moment. Returns it; for port 0, one that is free. Errors: those of Node. */
async function tryPort(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/**
 * Tries to listen on a port of loopback for a moment: that it is in use is known before anything is built. Returns it;
 * for port 0, one that is free. Errors: `port`.
 */
export function checkPort(port: number, line?: PortLine): Promise<number> {
  return tryPort(port).catch((error: unknown) => {
    throw portFailure(error, port, { line })
  })
}

/** Returns a port of loopback, or the first free one of those above it. Errors: `port`. */
export async function freePort(port: number, line?: PortLine): Promise<number> {
  for (let at = port; at < port + NEXT_PORTS; at++) {
    const free = await tryPort(at).catch((error: unknown) => {
      if (codeOf(error) !== 'EADDRINUSE') throw portFailure(error, at, { line })
    })
    if (free !== undefined) return free
  }
  throw failure(
    'port',
    `the ports ${port} to ${port + NEXT_PORTS - 1} are in use`,
    `Take any: ${line?.(0) ?? 'port 0'}`,
  )
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Why a port could not be had, as Node says it, in a sentence of ours. */
export function portFailure(
  error: unknown,
  port: number,
  {
    address = '127.0.0.1',
    line,
  }: { readonly address?: string | undefined; readonly line?: PortLine | undefined } = {},
): unknown {
  const code = codeOf(error)
  const other = line?.(port < PORT_MAX ? port + 1 : port - 1)
  if (code === 'EADDRINUSE')
    return failure(
      'port',
      `port ${port} is in use`,
      other ? `Take another one: ${other}` : 'Take another one, or 0 for any.',
    )
  if (code === 'EACCES')
    return failure(
      'port',
      `port ${port} may not be used by this user`,
      `Take one above 1023${line ? `: ${line(8787)}` : '.'}`,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failure(
      'port',
      `${address} is no address of this machine (${String(code)})`,
      'Give one in address, or leave it out for loopback.',
    )
  return error
}

/** The line that starts a command again at another port; `words` are those behind it. */
export const portLine =
  (path: string, words: readonly string[]): PortLine =>
  (port) =>
    lineAgain(path, words, (kept) => [...withoutPort(kept), '--port', String(port)])

const withoutPort = (words: readonly string[]) =>
  words.filter((word, at) => !/^--port(=|$)/.test(word) && words[at - 1] !== '--port')
