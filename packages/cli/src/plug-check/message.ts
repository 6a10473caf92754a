import type { Fields } from '../project/fields.ts'

/** A JSON object of the wire; nothing about its fields is known. */
export type Message = Fields

/** Whether a message is a reply: no method, and a result or an error. */
export const isReply = ({ method, result, error }: Message): boolean =>
  method === undefined && (result !== undefined || error !== undefined)
