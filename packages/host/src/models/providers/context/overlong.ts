/** What a server says of a request that is too long for its model. */
export interface Overlong {
  /** The most tokens, of the conversation and its answer; `null`: it does not say. */
  readonly limit: number | null
  /** The tokens of the conversation; `null`: it does not say. */
  readonly asked: number | null
}

const TOO_LARGE = 413
const READ_CHARS = 16_384

/** How servers say it. What is said of the most tokens of an answer alone is not about the conversation. */
const TOO_LONG = new RegExp(
  [
    /context[ _-]?(?:length|window|size|limit)/,
    /exceeds? context/,
    /prompt (?:is )?too (?:long|large)/,
    /(?:input|prompt|request|message|conversation)s? (?:is |are )?(?:too long|too large for|longer than)/,
    /maximum (?:prompt|input|sequence|model) length/,
    /too many (?:input |total )?tokens/,
    /token[ _]limit/,
    /reduce the (?:length|size|number)|reduce your (?:prompt|input)|shorter (?:prompt|input)/,
    /input (?:token count|length).{0,60}exceed/,
    /token count.{0,40}exceed/,
    /tokens?.{0,40}exceeds? the (?:max|limit|model)/,
    /exceeds? (?:the )?max(?:imum)? (?:length|number of (?:input )?tokens|tokens)/,
    /inputs?`? (?:tokens|must have less than)/,
    /(?:prompt|input|sequence) length exceeds?/,
    /超长/,
    /messages'?: array too long|too many messages/,
    /range of input length/,
    /request (?:entity )?too large|payload too large|request_too_large|body (?:is )?too large/,
    /exceed_context/,
    /n_ctx|num_ctx/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
const ANSWER_ALONE =
  /max(?:imum)?[_ ](?:completion_|new_|output_)?tokens.{0,20}(?:must be|should be|: \d+ >)|completion tokens, whereas|maximum tokens you requested|range of max_tokens/
/** A limit of tokens a minute says so too: it is about this request alone where it says that. */
const ALONE_TOO_LARGE = /too large|must be reduced/
const TOO_MANY_REQUESTS = 429
const OF_BOTH = /tokens \+/

const NUMBER = '(\\d[\\d,_]*)'
const find = (text: string, patterns: readonly string[]): number | null => {
  for (const pattern of patterns) {
    const digits = new RegExp(pattern).exec(text)?.[1]
    if (digits !== undefined) return Number(digits.replaceAll(/\D/g, ''))
  }
  return null
}

const limits = [
  `\\[\\d+, ?${NUMBER}\\]`,
  `"n_ctx":\\s*${NUMBER}`,
  `"num_ctx":\\s*${NUMBER}`,
  `> ${NUMBER} maximum`,
  `\\d \\+ \\d+ > ${NUMBER}`,
  `${NUMBER} maximum context`,
  `maximum number of tokens(?: allowed)?[^\\d]{0,20}${NUMBER}`,
  `(?:context (?:length|window|size|limit)|prompt length|input length|model token limit|sequence length)[^\\d]{0,40}${NUMBER}`,
  `(?:must be <=|must have less than|cannot exceed|exceeds? the limit of|limit is|limit:?|at most|maximum(?: of)?:?) ?${NUMBER}`,
]
const sizes = [
  `"n_prompt_tokens":\\s*${NUMBER}`,
  `${NUMBER}(?: tokens)? (?:in|from) (?:the|your) (?:input )?(?:messages|prompt|input)`,
  `${NUMBER} (?:input tokens|\`inputs\` tokens)`,
  `(?:resulted in|prompt contains|request contains|prompt token count of|token count \\(|too long: |received|current length is|the input \\(|request \\(|the first) ?${NUMBER}`,
  `${NUMBER} \\+ \\d+ >`,
  `requested:? (?:about )?${NUMBER}`,
]

/** Reads a refusal that says that a request is too long for its model; `null`: it says something else. */
export function overlong(status: number | null, said: string): Overlong | null {
  const text = said.slice(0, READ_CHARS).toLowerCase().replaceAll(/\s+/g, ' ')
  const isLong = TOO_LONG.test(text) && !(ANSWER_ALONE.test(text) && !OF_BOTH.test(text))
  const isRate = status === TOO_MANY_REQUESTS && !ALONE_TOO_LARGE.test(text)
  if (!isLong || isRate) return status === TOO_LARGE ? { limit: null, asked: null } : null
  const limit = find(text, limits)
  const asked = find(text, sizes)
  return { limit: limit || null, asked: asked === limit ? null : asked || null }
}
