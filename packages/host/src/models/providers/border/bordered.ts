import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { collect } from '../collect.ts'
import { type ModelPart, type PartReader, type ReadableModel, readParts, streamOf } from '../part-reader.ts'
import { plainSchema } from './plain-schema.ts'
import { tidyPrompt } from './tidy-prompt.ts'
import { openWireNames, type WireNames } from './wire-names.ts'

/**
 * A model that is asked in a form that nearly every server takes. Nobody else sees that form: tools are called by their
 * own names, and a conversation is kept as it was.
 */
export function bordered(model: LanguageModelV4): ReadableModel {
  const ask = async (options: LanguageModelV4CallOptions): Promise<PartReader> => {
    const { tools, toolChoice, prompt } = options
    const shorts = new Map((tools ?? []).map((tool) => [tool.name, shortNameOf(tool)]))
    const names = openWireNames([...shorts.keys()], (name) => shorts.get(name) ?? name)
    const reader = await readParts(model, {
      ...options,
      prompt: tidyPrompt(prompt, names),
      ...(tools && { tools: tools.map((tool) => wireTool(tool, names)) }),
      ...(toolChoice?.type === 'tool' && {
        toolChoice: { ...toolChoice, toolName: names.wire(toolChoice.toolName) },
      }),
    })
    return names.isChanged ? renamed(reader, names) : reader
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    readParts: ask,
    doStream: async (options) => ({ stream: streamOf(await ask(options)) }),
    doGenerate: async (options) => collect(await ask(options)),
  }
}

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number]

/** What a tool is called by a model, where its maker says so: a plugin by its handle, and not by its id. */
const shortNameOf = (tool: Tool): string => {
  const short = tool.type === 'function' && tool.providerOptions?.svc?.short
  return typeof short === 'string' ? short : tool.name
}

function wireTool(tool: Tool, names: WireNames): Tool {
  const name = names.wire(tool.name)
  return tool.type === 'function'
    ? { ...tool, name, inputSchema: plainSchema(tool.inputSchema) }
    : { ...tool, name }
}

const renamed = (reader: PartReader, names: WireNames): PartReader => ({
  async read() {
    const parts = await reader.read()
    return parts?.map((part) => ownPart(part, names)) ?? null
  },
  cancel: (reason) => reader.cancel(reason),
})

function ownPart(part: ModelPart, names: WireNames): ModelPart {
  if (part.type !== 'tool-call' && part.type !== 'tool-input-start' && part.type !== 'tool-result')
    return part
  return { ...part, toolName: names.own(part.toolName) }
}
