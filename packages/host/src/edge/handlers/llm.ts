import { type Handlers, type Methods, type ResultOf, refuse, wrongArg } from '@svc/contract'
import { type JsonText, jsonInTurns } from '../../kernel/json.ts'
import { complete } from '../../models/providers/complete.ts'
import { countOrUndefined, guessTokens, spend } from '../../models/providers/spend.ts'
import { type CallContext, spenderOf } from './context.ts'

type Embedding = ResultOf<Methods['llm']['embed']>

/** Handlers of `llm.*`: of a call nothing is kept but what it used. */
export const llm: Handlers<'llm', CallContext, JsonText> = {
  complete: async (args, context) => jsonInTurns(await complete(spenderOf(context), args)),

  stream: (args, context) => context.services.runs.stream(callerOf(context), args),

  attach: ({ run_id, after_seq }, context) =>
    context.services.runs.attach(streamsOf(context), run_id, after_seq, context.window.id),

  async cancel({ run_id }, context) {
    return { cancelled: await context.services.runs.cancel(streamsOf(context), run_id) }
  },

  async embed({ input, model }, context) {
    const { embedder } = context.services.models
    if (!embedder) throw refuse('not_implemented', 'this host has no embedding model')
    const { modelId } = embedder
    if (model !== undefined && model !== modelId)
      throw wrongArg('model', `must be ${JSON.stringify(modelId)}, got ${JSON.stringify(model)}`)
    const texts = typeof input === 'string' ? [input] : input
    const asked = guessTokens(texts, context.services.limits)
    return spend(
      spenderOf(context),
      { counted: 'completions', tokens: asked },
      async (signal): Promise<Embedding> => {
        const { embeddings, tokens } = await embedder.embed(texts, signal)
        const inputTokens = countOrUndefined(tokens) ?? asked
        const usage = { inputTokens, outputTokens: 0, totalTokens: inputTokens }
        return { embeddings, model: modelId, usage }
      },
    )
  },
}

const callerOf = ({ userId, window, version, install }: CallContext) => ({
  userId,
  appId: window.row.app_id,
  windowUuid: window.id,
  version,
  install,
})

/** The streams that a window may see: those of its user and app. */
const streamsOf = ({ userId, window }: CallContext) => ({
  userId,
  appId: window.row.app_id,
  sessionUuid: null,
})
