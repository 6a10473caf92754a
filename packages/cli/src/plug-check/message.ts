/** A JSON object of the wire; nothing about its fields is known. */
export type Message = Readonly<Record<string, unknown>>

/** A JSON object, or nothing. */
export const objectOf = (value: unknown): Message | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined

/** Whether a message is a reply: no method, and a result or an error. */
export const isReply = ({ method, result, error }: Message): boolean =>
  method === undefined && (result !== undefined || error !== undefined)
