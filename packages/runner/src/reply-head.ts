/** How far into a line its head is looked for: an id has at most 256 characters. */
const HEAD_BYTES = 1_024

/** The members of an object that stand before its first nested value, each with its comma, and the next key. */
const HEAD =
  /^\s*(\{(?:\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^"[{,\s]+)\s*,)*)\s*"(?:result|error)"\s*:/

/**
 * The id of a reply read from the head of its line, or nothing where the line does not begin as a reply with its
 * id in front. For lines that are not worth parsing whole.
 */
export function replyId(line: Buffer): unknown {
  const members = HEAD.exec(line.toString('utf8', 0, HEAD_BYTES))?.[1]
  if (!members) return undefined
  try {
    const head = JSON.parse(`${members.replace(/,$/, '')}}`)
    return head.method === undefined ? head.id : undefined
  } catch {
    return undefined
  }
}
