import * as z from '../values/zod.ts'

/**
 * One part of a message in which tools were called. `arguments` is JSON text as the model wrote it, or what should have
 * been that; a result has `output`, what the tool answered, or `error`, what the model was told instead.
 */
export const historyPart = z
  .union([
    z.object({ type: z.literal('text').describe('Text.'), text: z.string().describe('The text.') }),
    z.object({
      type: z.literal('tool_call').describe('A tool that the model called.'),
      tool_call_id: z.string().describe('The id of the call.'),
      name: z.string().describe('The name of the tool.'),
      arguments: z.string().describe('JSON text as the model wrote it, or what should have been that.'),
    }),
    z.object({
      type: z.literal('tool_result').describe('How such a call ended.'),
      tool_call_id: z.string().describe('The id of the call.'),
      name: z.string().describe('The name of the tool.'),
      output: z.unknown().optional().describe('What the tool returned.'),
      error: z
        .object({
          code: z.string().describe('The code of the error.'),
          message: z.string().describe('What the model was told.'),
        })
        .optional()
        .describe('What the model was told instead.'),
    }),
  ])
  .describe('One part of a message in which tools were called.')

/** One message of a history: text, or parts where tools were called; never an image. */
export const historyMessage = z
  .object({
    role: z.enum(['user', 'assistant', 'tool']).describe('Who said it.'),
    content: z.union([z.string(), z.array(historyPart)]).describe('Text, or parts where tools were called.'),
    run_id: z.string().describe('The run that it belongs to.'),
    aborted: z.literal(true).optional().describe('The reply was cut off; what came until then is kept.'),
  })
  .describe('One message of a history: text, or parts where tools were called; never an image.')
