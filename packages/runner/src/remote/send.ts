import type { MachineMessage, SentMessage } from '../link/index.ts'

/** Sends a message to the host; `null` where it is over the caps of a link. */
export type SendToHost = (message: MachineMessage, body?: Uint8Array) => SentMessage | null
