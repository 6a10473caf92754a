import { z } from 'zod'
import { method } from '../define.ts'
import { limits } from '../limits.ts'
import { text } from '../text.ts'
import { attached, integer, runId, started } from './rules.ts'

const message = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.object({ type: z.literal('text'), text: z.string() }),
})

/** One message of a completion (spec §2.6). */
export type CompletionMessage = z.output<typeof message>

const priority = z.number().min(0).max(1).optional()

/**
 * Which model a caller would like (spec §2.6): hints in the order of liking, each the beginning of a model's name;
 * then how much a low price, speed and ability matter, each from 0 to 1.
 */
export const modelPreferences = z.object({
  hints: z
    .array(z.object({ name: text(limits.MODEL_NAME_MAX_CHARS).min(1) }))
    .max(limits.MODEL_HINTS_MAX)
    .optional(),
  costPriority: priority,
  speedPriority: priority,
  intelligencePriority: priority,
})

/** Which model a caller would like. */
export type ModelPreferences = z.output<typeof modelPreferences>

const usage = z.object({ inputTokens: z.number(), outputTokens: z.number(), totalTokens: z.number() })

/** Tokens that a model took and gave. */
export type Usage = z.output<typeof usage>

const completion = z.object({
  messages: z.array(message).min(1),
  maxTokens: integer.refine((value) => value >= 1, 'must be at least 1').optional(),
  modelPreferences: modelPreferences.optional(),
})

/** What a completion takes. */
export type CompletionArgs = z.output<typeof completion>

const completed = z.object({
  role: z.literal('assistant'),
  content: z.object({ type: z.literal('text'), text: z.string() }),
  model: z.string(),
  stopReason: z.enum(['endTurn', 'stopSequence', 'maxTokens']),
  usage,
})

/** What a completion answers. */
export type CompletionResult = z.output<typeof completed>

/** `llm.*` (spec §4.2): single answers of a model; nothing is kept, and each counts against the quota of the user. */
export const llm = {
  complete: method({
    doc: 'Lets a model go on from a list of messages. maxTokens is lowered to the cap of the app, which is also its default.',
    access: 'declared',
    slow: true,
    args: completion,
    result: completed,
  }),
  stream: method({
    doc: 'Does what complete does and answers at once; the text follows as rpc.stream events.',
    access: 'declared',
    args: completion,
    result: started,
  }),
  attach: method({
    doc: 'Sends the frames of a stream of llm.stream after after_seq again to the calling window, and those that follow.',
    access: 'declared',
    declaredBy: 'stream',
    args: z.object({ run_id: runId, after_seq: z.int().min(0).default(0) }),
    result: attached,
  }),
  cancel: method({
    doc: 'Cancels a stream of llm.stream. cancelled tells whether it was under way.',
    access: 'declared',
    declaredBy: 'stream',
    args: z.object({ run_id: runId }),
    result: z.object({ cancelled: z.boolean() }),
  }),
  embed: method({
    doc: 'Turns texts into vectors whose nearness tells how near the texts are in meaning.',
    access: 'declared',
    slow: true,
    args: z.object({
      input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(limits.EMBED_INPUTS_MAX)]),
      model: text(limits.MODEL_NAME_MAX_CHARS).min(1).optional(),
    }),
    result: z.object({ embeddings: z.array(z.array(z.number())), model: z.string(), usage }),
  }),
}
