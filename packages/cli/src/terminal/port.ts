import { once } from 'node:events'
import { createServer } from 'node:net'
import { failure } from './failure.ts'

/**
 * Tries to listen on a port of loopback for a moment: that it is in use is known before anything is built. Port 0 is
 * always free. Errors: `port`.
 */
export async function checkPort(port: number): Promise<void> {
  if (port === 0) return
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    throw portFailure(error, port)
  })
  server.close()
  await once(server, 'close')
}

/** Why a port could not be had, as Node says it, in a sentence of ours. */
export function portFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return failure(
      'port',
      `port ${port} is in use`,
      `Take another one: --port ${port + 1}, or --port 0 for any.`,
    )
  if (code === 'EACCES')
    return failure('port', `port ${port} may not be used by this user`, 'Take one above 1023.')
  return error
}
