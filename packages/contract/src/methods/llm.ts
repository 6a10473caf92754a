import { limits } from '../limits/index.ts'
import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { attached, integer, runId, started } from './rules.ts'

const content = z
  .object({ type: z.literal('text').describe('Text only.'), text: z.string().describe('The text.') })
  .describe('What the message says.')

/** One message of a completion. */
export const message = z
  .object({ role: z.enum(['user', 'assistant']).describe('Who says it.'), content })
  .describe('One message of a completion.')

const priority = (what: string) =>
  z.number().min(0).max(1).optional().describe(`How much ${what} matters, 0 to 1.`)

/**
 * Which model a caller would like: hints in the order of liking, each the beginning of a model's name;
 * then how much a low price, speed and ability matter, each from 0 to 1.
 */
export const modelPreferences = z
  .object({
    hints: z
      .array(
        z.object({
          name: text(limits.MODEL_NAME_MAX_CHARS).min(1).describe("The beginning of a model's name."),
        }),
      )
      .max(limits.MODEL_HINTS_MAX)
      .optional()
      .describe('Models by name, the one liked best first.'),
    costPriority: priority('a low price'),
    speedPriority: priority('speed'),
    intelligencePriority: priority('ability'),
  })
  .describe('Which model a caller would like.')

/** Tokens that a model took and gave. */
export const usage = z
  .object({
    inputTokens: z.number().describe('Tokens that the model read.'),
    outputTokens: z.number().describe('Tokens that it wrote.'),
    totalTokens: z.number().describe('Both together.'),
  })
  .describe('The tokens that a model read and wrote.')

/** What a completion takes. */
export const completion = z
  .object({
    messages: z.array(message).min(1).describe('The conversation so far, oldest first.'),
    maxTokens: integer
      .refine((value) => value >= 1, 'must be at least 1')
      .optional()
      .describe('The most tokens to write, at least 1, lowered to the cap of the app, which is the default.'),
    modelPreferences: modelPreferences.optional(),
  })
  .describe('Arguments of `svc.llm.complete` and `svc.llm.stream`.')

/** What a completion returns. */
export const completed = z
  .object({
    role: z.literal('assistant').describe('The model.'),
    content,
    model: z.string().describe('The name of the model.'),
    stopReason: z
      .enum(['endTurn', 'stopSequence', 'maxTokens'])
      .describe('Why the text ends; `maxTokens`: it is cut off.'),
    usage,
    details: z
      .object({
        stop_reason: z
          .enum(['content_filter', 'refusal'])
          .describe('Text is missing: a filter withheld it, or the model itself refused and says so.'),
      })
      .optional()
      .describe('More about the end; only where text is missing.'),
  })
  .describe('Result of `svc.llm.complete`.')

/** `llm.*`: single answers of a model; nothing is kept, and each counts against the quota of the user. */
export const llm = {
  complete: method({
    doc: 'Lets a model continue a conversation and returns its reply. Nothing is kept; each call counts against the quota of the user.',
    access: 'declared',
    rate: 'model',
    slow: true,
    args: completion,
    result: completed,
    errors: ['quota_exceeded', 'permission_denied', 'not_implemented', 'rate_limited'],
    example:
      "const reply = await svc.llm.complete({\n  messages: [{ role: 'user', content: { type: 'text', text: 'Name three rivers.' } }],\n  maxTokens: 200,\n})\nconsole.log(reply.content.text)",
  }),
  stream: method({
    doc: 'Starts what `complete` does and returns at once; the text follows as rpc.stream events. `svc.llm.streamText` reads them for you.',
    access: 'declared',
    rate: 'model',
    args: completion,
    result: started,
    errors: ['quota_exceeded', 'permission_denied', 'not_implemented'],
    example:
      "const run = await svc.llm.streamText({\n  messages: [{ role: 'user', content: { type: 'text', text: 'Tell a story.' } }],\n})\nfor await (const piece of run.text()) show(piece)",
  }),
  attach: method({
    doc: 'Sends the frames of a stream of `llm.stream` again to the calling window, and those that follow. `svc.llm.attachText` reads them for you.',
    access: 'declared',
    declaredBy: 'stream',
    args: () =>
      z.object({
        run_id: runId,
        after_seq: z.int().min(0).default(0).describe('The last frame that is known already.'),
      }),
    result: attached,
    errors: ['not_found'],
    example: 'const run = await svc.llm.attachText(runId, { afterSeq })',
  }),
  cancel: method({
    doc: 'Cancels a stream of `llm.stream`.',
    access: 'declared',
    declaredBy: 'stream',
    args: () => z.object({ run_id: runId }),
    result: () => z.object({ cancelled: z.boolean().describe('Whether it was still under way.') }),
    example: 'await svc.llm.cancel({ run_id: runId })',
  }),
  embed: method({
    doc: 'Turns texts into vectors: the closer two vectors are, the closer the texts are in meaning.',
    access: 'declared',
    rate: 'model',
    slow: true,
    args: () =>
      z.object({
        input: z
          .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(limits.EMBED_INPUTS_MAX)])
          .describe(`A text, or 1 to ${limits.EMBED_INPUTS_MAX} of them; none may be empty.`),
        model: text(limits.MODEL_NAME_MAX_CHARS).min(1).optional().describe('The model that is wanted.'),
      }),
    result: () =>
      z.object({
        embeddings: z.array(z.array(z.number())).describe('One vector for each text, in their order.'),
        model: z.string().describe('The name of the model.'),
        usage,
      }),
    errors: ['quota_exceeded', 'permission_denied', 'not_implemented'],
    example: "const { embeddings } = await svc.llm.embed({ input: ['a cat', 'a kitten'] })",
  }),
}
