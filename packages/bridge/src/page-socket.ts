import { CALL_SOCKET_RETRY_MS, EVENT_CURSOR_MS, EVENT_SILENT_MS } from '@svc/contract/browser'
import { CLOSING, TOGETHER_MAX_CHARS } from '@svc/contract/wire'
import { unreachable } from './bridge-error.ts'
import type { CallSocket } from './call-socket.ts'
import type { CallSocketParts } from './call-socket-parts.ts'
import { isClosing } from './closing.ts'
import { pause } from './deadline.ts'

/** What the socket has in common with this part. */
export const tools = {
  pause,
  unreachable,
  isClosing,
  closing: CLOSING,
  longChars: TOGETHER_MAX_CHARS,
  retryMs: CALL_SOCKET_RETRY_MS,
  cursorMs: EVENT_CURSOR_MS,
  silentMs: EVENT_SILENT_MS,
} as const

/** The call socket of a page, whose part is loaded when the host first offers one. */
export interface PageSocket extends Omit<CallSocket, 'open'> {
  /** As `open` of the socket; false where its part does not come. */
  open(): Promise<boolean>
}

/** Makes it: until its part is there, everything goes by POST. */
export function pageSocket(parts: CallSocketParts): PageSocket {
  let socket: CallSocket | undefined
  let isWanted = false
  return {
    carry: (cargo) => (socket?.carry ?? parts.byPost)(cargo),
    events: (address, init) => (socket?.events ?? parts.fetch)(address, init),
    isOpen: () => !!socket?.isOpen(),
    async open() {
      isWanted = true
      try {
        const { createCallSocket } = await import('./call-socket.ts')
        socket ??= createCallSocket(parts, tools)
        return isWanted && socket.open()
      } catch {
        return false
      }
    },
    doubt: () => socket?.doubt(),
    close() {
      isWanted = false
      socket?.close()
    },
  }
}
