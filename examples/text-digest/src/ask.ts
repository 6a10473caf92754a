import { type CompletionResult, svc } from '@svc/sdk'
import { fields } from './fields.ts'

/** The most tokens that an answer may have; the user's grant may lower it. */
const MAX_TOKENS = 1_500

const wishes = fields.map(
  ({ key, wanted, isList }) => `- ${key}: ${wanted}${isList ? ', as an array of strings' : ''}`,
)
const task = [
  'Digest the text between the lines of dashes. Answer with one JSON object and nothing else. Its keys:',
  ...wishes,
  'Leave a key out where the text says nothing of it. Write in the language of the text. Invent nothing.',
].join('\n')

/**
 * Asks a model for the digest of a text. A completion knows of nothing before it, so the one message has all.
 *
 * @throws HostRpcError `quota_exceeded`, `cancelled` by the signal, `timeout`, `internal_error` …
 */
export const askForDigest = (text: string, signal: AbortSignal): Promise<CompletionResult> =>
  svc.llm.complete(
    {
      messages: [{ role: 'user', content: { type: 'text', text: `${task}\n\n-----\n${text}\n-----` } }],
      maxTokens: MAX_TOKENS,
    },
    { signal },
  )
