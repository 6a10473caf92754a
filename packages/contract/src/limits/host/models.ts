/** Models, the web, and URLs that users give (docs/decisions/0036-urls-and-attachments.md). */
export const models = {
  /** Tokens that one answer of a model may have where neither the call nor the grants say. */
  MAX_TOKENS_PER_CALL_DEFAULT: 4_096,
  /** What `web.fetch` and the tool `web_fetch` read of a page. */
  WEB_FETCH_MAX_BYTES: 2_097_152,
  /** What a tool gives a model of a text at once. */
  WEB_FETCH_TEXT_MAX_CHARS: 40_000,
  /** The longest URL that a user may give. */
  PUBLIC_URL_MAX_CHARS: 2_048,
  /** A fetch of such a URL, from the lookup of its name to the last byte, redirects included. */
  PUBLIC_FETCH_MS: 15_000,
  /** What may come from such a URL. */
  PUBLIC_FETCH_MAX_BYTES: 20_971_520,
  /** The headers of an answer to it. */
  PUBLIC_HEADERS_MAX_BYTES: 16_384,
  /** Redirects that are followed, each judged like the URL itself. */
  PUBLIC_REDIRECTS_MAX: 3,
  /** What a result of a search keeps of its title, and of its snippet. */
  WEB_RESULT_TEXT_MAX_CHARS: 4_000,
  /** What the operator's search may take. */
  WEB_SEARCH_MS: 15_000,
  /** A day's counts stay this long after its end, for what was begun on it. */
  QUOTA_KEPT_MS: 172_800_000,
  /** Where a model tells no count of tokens, and before it does: UTF-8 bytes that are taken for one. */
  TOKEN_BYTES: 4,
  /** A model that sends nothing for this long is cancelled. */
  MODEL_IDLE_MS: 60_000,
  /** An answer of a model that has not ended after this is cancelled. */
  MODEL_TOTAL_MS: 280_000,
  /** What a model may write in one answer. */
  MODEL_TEXT_MAX_BYTES: 4_194_304,
  /** Tools that a model may call in one answer. */
  MODEL_TOOL_CALLS_MAX: 1_024,
  /** What the server of a model may send for one answer. */
  MODEL_RESPONSE_MAX_BYTES: 16_777_216,
  /** A model that fails before its first token is asked again this often, after a pause that doubles. */
  MODEL_RETRIES: 2,
  /** The first such pause. */
  MODEL_RETRY_MS: 500,
  /** The longest pause that a server may ask for and get: above it the failure is told at once, with the pause. */
  MODEL_RETRY_AFTER_MAX_MS: 10_000,
  /** How long what follows the end of an answer is waited for: its usage, and the end of the connection. */
  MODEL_END_MS: 1_000,
} as const
