import { generateId, StreamingToolCallTracker } from '@ai-sdk/provider-utils'
import type { ModelPart } from '../part-reader.ts'
import type { ToolCallDelta } from './chat-chunk.ts'

/**
 * Opens what joins the tool calls of an answer, whose pieces come interleaved: the AI SDK's tracker. A call waits for its
 * name, for some servers send its arguments first. `provider` names what a call tells of it alone.
 */
export function openToolCalls(provider: string, add: (part: ModelPart) => void) {
  const tracker = new StreamingToolCallTracker<ToolCallDelta>(
    { enqueue: add },
    {
      generateId,
      extractMetadata({ extra_content }) {
        const thoughtSignature = extra_content?.google?.thought_signature
        return thoughtSignature ? { [provider]: { thoughtSignature } } : undefined
      },
      buildToolCallProviderMetadata: (metadata) => metadata,
    },
  )
  const unnamed = new Map<number, ToolCallDelta>()
  const named = new Set<number>()
  return {
    add(delta: ToolCallDelta): void {
      const { index } = delta
      if (index == null || named.has(index)) {
        tracker.processDelta(delta)
        return
      }
      const before = unnamed.get(index)
      const pieces = (before?.function.arguments ?? '') + (delta.function.arguments ?? '')
      const { name } = delta.function
      const call: ToolCallDelta = {
        index,
        id: before?.id ?? delta.id ?? null,
        function: { ...(name != null && { name }), arguments: pieces },
        extra_content: before?.extra_content ?? delta.extra_content ?? null,
      }
      unnamed.set(index, call)
      if (name == null) return
      tracker.processDelta(call)
      unnamed.delete(index)
      named.add(index)
    },
    end(): void {
      // Without the rest, as the provider does.
      for (const { extra_content: _, ...call } of unnamed.values()) tracker.processDelta(call)
      unnamed.clear()
      tracker.flush()
    },
  }
}
