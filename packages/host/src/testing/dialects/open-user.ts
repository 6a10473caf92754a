import { type CompletionArgs, limits as hostLimits, type Refusal } from '@svc/contract'
import { systemClock } from '@svc/node'
import { memoryStore } from '@svc/state'
import { pino } from 'pino'
import { openMetrics } from '../../kernel/metrics.ts'
import { complete } from '../../models/providers/complete.ts'
import { readModels } from '../../models/providers/model-settings.ts'
import { openModels } from '../../models/providers/models.ts'
import { openQuotas } from '../../models/quotas/quotas.ts'
import { readQuotas } from '../../models/quotas/read-quotas.ts'
import { pictures } from '../files.ts'
import { openRunBed, textOf } from '../runs.ts'
import type { Dialect, Told, User } from './dialect.ts'
import { openScriptedServer } from './scripted-server.ts'

/** A retry of the host comes at once, and nobody waits a minute for a silent server. */
const quick = { MODEL_RETRY_MS: 1, MODEL_IDLE_MS: 2_000 } as const
/** Servers answer when they do: the clock is the machine's, and nobody moves it. */
const clock = Object.assign({ advance: async () => {}, timers: 0 }, systemClock)

/** Opens a user of a host whose model is at a server with this behaviour. Close it. */
export async function openUser({ script, environment = {}, limits = {}, prompt, tools = [] }: Dialect) {
  const server = await openScriptedServer(script)
  const table = { ...hostLimits, ...quick, ...limits }
  const log: Record<string, unknown>[] = []
  const store = memoryStore()
  const base = {
    clock,
    store,
    limits: table,
    metrics: openMetrics({ processMetrics: false }),
    log: pino({ level: 'info' }, { write: (line) => void log.push(JSON.parse(line)) }),
  }
  const settings = readModels(
    {},
    {
      SVC_LLM_BASE_URL: server.url,
      SVC_LLM_MODEL: 'm-1',
      SVC_LLM_VISION: '1',
      SVC_LLM_EMBEDDING_MODEL: 'e-1',
      ...(typeof environment === 'function' ? environment(server.url) : environment),
    },
    base,
  )
  const models = openModels(settings, base)
  const bed = openRunBed({ ...base, models, tools })
  const session = await bed.session({ system_prompt: prompt ?? null })
  const quotas = openQuotas(base, readQuotas())
  const { signal } = new AbortController()

  const user: User = {
    log,
    get sent() {
      return server.requests.map(({ body }) => body)
    },
    async say(content = 'hi', { cancel = false, image = false } = {}) {
      const asked = server.requests.length
      const data = pictures['image/png'].toString('base64')
      const attachments = image ? [{ type: 'image/png' as const, data }] : []
      const { run_id, stream_id } = await bed.start(session, { content, attachments })
      if (cancel) {
        await server.received(asked + 1)
        await bed.cancel(session, run_id)
      }
      const frames = await bed.ended(stream_id)
      const error = frames.find((frame) => frame.event === 'error')
      const details = frames.flatMap((frame) =>
        frame.event === 'sse' ? (frame.data.choices[0]?.delta.task_complete?.details ?? []) : [],
      )[0]
      return {
        ...told(textOf(frames), error && { ...error, code: error.errorCode }),
        ...(details && { details }),
      }
    },
    async complete(...texts) {
      const messages: CompletionArgs['messages'] = texts.map((text, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: { type: 'text', text },
      }))
      const spender = { userId: 'ada', appId: 'app_1', install: { grants: {} }, gone: () => signal }
      const services = { limits: table, models, quotas }
      return complete({ ...spender, services }, { messages }).then(
        ({ content, details }) => ({ ...told(content.text), ...(details && { details }) }),
        (error: Refusal) => told('', error),
      )
    },
    async embed(...texts) {
      if (!models.embedder) throw new Error('the environment names no model for embeddings')
      return (await models.embedder.embed(texts, signal)).embeddings
    },
    history: () => bed.history(session),
  }
  return {
    user,
    async [Symbol.asyncDispose]() {
      await bed.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const told = (
  text: string,
  error?: { readonly code: string; readonly message: string; readonly details?: object | undefined },
): Told => ({
  text,
  ...(error && { code: error.code, message: error.message }),
  ...(error?.details && { details: { ...error.details } }),
})
