import { refuse } from '@svc/contract'
import type { ModelMessage } from 'ai'
import { withInstructions } from '../sessions/tool-words.ts'
import { loadImages } from './attachments.ts'
import { frameText } from './chunks.ts'
import { readContext } from './context.ts'
import { type Ending, failed } from './ending.ts'
import type { HeldRun } from './held-run.ts'
import { remember } from './messages.ts'
import { isConversation } from './order.ts'
import type { RunParts } from './runs.ts'
import { extendSession } from './watch.ts'

/** Does a run whose turn has come. Rejects with what failed, or when it is to end. */
export async function perform(parts: RunParts, held: HeldRun): Promise<Ending> {
  const { clock, limits } = parts
  const stopTotal = clock.setTimer(
    () => held.stop(failed('internal_error', `the run did not end in ${limits.RUN_TOTAL_MS} ms`)),
    limits.RUN_TOTAL_MS,
  )
  try {
    return await talk(parts, held)
  } finally {
    stopTotal()
  }
}

async function talk(parts: RunParts, held: HeldRun): Promise<Ending> {
  const { order, frameWriter, signal } = held
  frameWriter.write(frameText({ event: 'started' }))
  await extendSession(parts, held)
  signal.throwIfAborted()
  const tools = isConversation(order) ? await toolsOf(parts, held) : []
  const granted_tools = tools.map(({ name }) => name)
  frameWriter.write(
    frameText({ event: 'run_meta', run_id: order.runId, model: held.row.model, granted_tools }),
  )
  const messages = await promptOf(parts, held)
  const { runAgentLoop } = await parts.agentLoop()
  signal.throwIfAborted()
  const instructions = withInstructions(order.instructions, tools, parts.limits)
  const complete = await runAgentLoop(parts, held, { messages, instructions, tools })
  return { event: 'finish', code: null, message: 'the run has finished', complete }
}

async function toolsOf(parts: RunParts, { order }: HeldRun) {
  const { session, allowedTools, caller } = order
  if (!session) return []
  const { version, install } = caller
  const tools = await parts.toolsOf({ session, version, install })
  return allowedTools ? tools.filter(({ name }) => allowedTools.includes(name)) : tools
}

/** What was said before and what is said now, with its images; what is said now is kept. */
async function promptOf(parts: RunParts, { order, signal }: HeldRun): Promise<ModelMessage[]> {
  const { session, said, images, model, runId } = order
  if (images.length > 0 && !model.vision)
    throw refuse(
      'APP_MODEL_NOT_VISION_CAPABLE',
      `the model ${JSON.stringify(model.name)} does not accept images`,
    )
  const seen = await loadImages({ ...parts, userId: order.caller.userId }, images, signal)
  const before = session && isConversation(order) ? await readContext(parts, session.id) : []
  if (session && isConversation(order)) {
    const content = said
      .map((message) => (typeof message.content === 'string' ? message.content : ''))
      .join('')
    await remember(parts, { userId: order.caller.userId, sessionUuid: session.id }, [
      { role: 'user', content, run_id: runId },
    ])
  }
  if (seen.length === 0) return [...before, ...said]
  const files = seen.map(({ mediaType, bytes }) => ({ type: 'file', mediaType, data: bytes }) as const)
  const shown = said.map((message) =>
    message.role === 'user' && typeof message.content === 'string'
      ? { ...message, content: [{ type: 'text', text: message.content } as const, ...files] }
      : message,
  )
  return [...before, ...shown]
}
