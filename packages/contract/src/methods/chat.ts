import { z } from 'zod'
import { method } from '../define.ts'
import { text } from '../text.ts'
import { anyObject } from './rules.ts'

/** `chat.*` (spec §4.2, decision 32b): cards only; the two others are stubs. */
export const chat = {
  append_artifact: method({
    doc: 'Puts a card into the chat beside the window; it is shown now, kept nowhere, and no model sees it.',
    access: 'declared',
    args: z.object({
      artifact: z.object({
        kind: text(64).min(1),
        summary: z.string().optional(),
        data: z.unknown().optional(),
        payload_ref: z.string().optional(),
        app_slug: z.string().optional(),
      }),
    }),
    result: z.object({ artifact_id: z.string() }),
  }),
  read_history: method({
    doc: 'Reads the chat; not offered.',
    access: 'declared',
    stub: true,
    args: z.object({ limit: z.unknown(), before: z.unknown() }).partial(),
    result: anyObject,
  }),
  write_message: method({
    doc: 'Writes into the chat; not offered.',
    access: 'declared',
    stub: true,
    args: z.object({ role: z.unknown(), content: z.unknown() }).partial(),
    result: anyObject,
  }),
}
