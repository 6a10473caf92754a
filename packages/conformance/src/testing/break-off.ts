import type { Socket } from 'node:net'

/**
 * Breaks a connection off. One that is being shut down is closed instead: Node cannot reset it, keeps it open for ever
 * where that is tried, and its process never ends.
 */
export function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
