import { closeSync, openSync } from 'node:fs'
import type { Server } from 'node:net'
import { basename, dirname } from 'node:path'

/** What the kernel takes as the path of a socket, its last zero left out. */
export const SOCKET_PATH_MAX_BYTES = 107

/**
 * Has a server listen on a socket at a path of any length: a long one is named by its folder, opened for as long as the
 * server lives. A failure comes as its `error`.
 */
export function listenAt(server: Server, path: string): void {
  if (Buffer.byteLength(path) <= SOCKET_PATH_MAX_BYTES) return void server.listen(path)
  let folder: number | undefined
  const close = () => {
    if (folder !== undefined) closeSync(folder)
    folder = undefined
  }
  try {
    folder = openSync(dirname(path), 'r')
    server.once('close', close).once('error', close)
    server.listen(`/proc/self/fd/${folder}/${basename(path)}`)
  } catch (error) {
    close()
    process.nextTick(() => server.emit('error', error))
  }
}
