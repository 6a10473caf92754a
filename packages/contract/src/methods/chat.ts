import { text } from '../values/text.ts'
import * as z from '../values/zod.ts'
import { method } from './define.ts'
import { anyObject } from './rules.ts'

/** `chat.*`: cards only; the two others are stubs. */
export const chat = {
  append_artifact: method({
    doc: 'Puts a card into the chat beside the window. It is shown now and kept nowhere, and no model sees it.',
    access: 'declared',
    args: () =>
      z.object({
        artifact: z
          .object({
            kind: text(64).min(1).describe('What kind of card it is, such as `text` or `image`.'),
            summary: z.string().optional().describe('The text that is shown.'),
            data: z.unknown().optional().describe('JSON that goes with the card.'),
            payload_ref: z.string().optional().describe('The `file_ref` of a file that it shows.'),
            app_slug: z.string().optional().describe('The app that it is about.'),
          })
          .describe('The card.'),
      }),
    result: () => z.object({ artifact_id: z.string().describe('The id of the card.') }),
    example:
      "await svc.chat.append_artifact({ artifact: { kind: 'text', summary: 'Report saved', data: { id: 7 } } })",
  }),
  read_history: method({
    doc: 'Reads the chat; not offered.',
    access: 'declared',
    stub: true,
    args: () => z.object({ limit: z.unknown(), before: z.unknown() }).partial(),
    result: anyObject,
  }),
  write_message: method({
    doc: 'Writes into the chat; not offered.',
    access: 'declared',
    stub: true,
    args: () => z.object({ role: z.unknown(), content: z.unknown() }).partial(),
    result: anyObject,
  }),
}
