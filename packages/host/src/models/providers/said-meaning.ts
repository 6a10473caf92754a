/** The status of a refusal of what was asked, by a filter. */
export const FILTER_STATUS = 400

/** What the words of a refusal stand for, whatever its status and codes are; the first that matches counts. */
const meanings: readonly (readonly [status: number, words: RegExp])[] = [
  [
    FILTER_STATUS,
    /\bflagged (?:as|for|by)\b|input flagged|violates? .{0,20}(?:policy|policies|guidelines)|safety system|content exists risk|(?:inappropriate|sensitive) (?:content|information)|considered high risk|敏感/i,
  ],
  [
    402,
    /credit balance|\b(?:any|no|more|of|enough|insufficient|included) credits\b|insufficient (?:balance|funds)|in good standing|余额|欠费/i,
  ],
  [
    401,
    /\b(?:incorrect|invalid|missing|wrong|expired)\b[^.]{0,20}(?:api[ _-]?key|authorization|access token)|api[ _-]?key[^.]{0,12}(?:not valid|invalid|expired)|security token.{0,30}invalid|login fail/i,
  ],
  [
    404,
    /\b(?:invalid|unknown) model\b|not a valid model|\bmodel\b.{0,60}(?:not exist|not found|decommissioned|not supported by|identifier is invalid)|could not find.{0,20}model|not work with the specified model|does not support chat$/i,
  ],
]
/** Characters of the words that are looked at: further on some servers repeat what they were asked. */
const READ_CHARS = 400

/** The HTTP status that the words of a refusal stand for; `null`: they say nothing of it. */
export function saidStatus(words: string): number | null {
  const read = words.slice(0, READ_CHARS)
  return meanings.find(([, pattern]) => pattern.test(read))?.[0] ?? null
}

const AGAIN = /(?:try again|retry|wait) (?:after|in|for) (\d[\dhms.]*)(?: (ms\b|s|m|h))?/i

/** How long to wait by the words of a refusal, as a duration like `6m0s`; `null`: they do not say. */
export function saidWait(words: string): string | null {
  const [, time, unit = ''] = AGAIN.exec(words) ?? []
  return time === undefined ? null : time.replace(/\.$/, '') + unit
}
