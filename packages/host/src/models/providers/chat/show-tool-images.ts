import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

type Result = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

const LOOKING = 'I look at the images.'
const HERE = 'The images of the results:'

/** A prompt whose results of tools are texts, as the protocol wants: their images follow in a message of the user. */
export const showToolImages = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.flatMap((message): LanguageModelV4Message[] => {
    const images = message.role === 'tool' ? message.content.flatMap(imagesOf) : []
    if (message.role !== 'tool' || images.length === 0) return [message]
    return [
      { ...message, content: message.content.map(asText) },
      { role: 'assistant', content: [{ type: 'text', text: LOOKING }] },
      { role: 'user', content: [{ type: 'text', text: HERE }, ...images] },
    ]
  })

function imagesOf(part: Result): LanguageModelV4FilePart[] {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return []
  return part.output.value.flatMap((one) => (one.type === 'file' ? [one] : []))
}

function asText(part: Result): Result {
  if (part.type !== 'tool-result' || part.output.type !== 'content') return part
  const value = part.output.value.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n')
  return { ...part, output: { type: 'text', value } }
}
