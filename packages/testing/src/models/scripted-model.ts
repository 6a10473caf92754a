import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { TestHostError } from '../errors/test-host-error.ts'
import type { Activity } from '../time/activity.ts'
import type { Clocks } from '../time/test-clock.ts'
import type { ModelAnswer, ModelError, ModelQuestion, ModelScript } from './script.ts'

/** What scripted models work with. */
export interface ModelParts {
  readonly clocks: Clocks
  readonly activity: Activity
  /** Takes what is wrong with the script: the host tells an app no more than that its model failed. */
  readonly onProblem: (problem: TestHostError) => void
}

/** A model that says what its script says, and what it was asked. */
export interface ScriptedModel {
  readonly model: LanguageModelV4
  /** What it was asked, the oldest first. */
  readonly questions: readonly ModelQuestion[]
  /** How many answers are under way. */
  readonly answering: number
}

/** Makes one. */
export function scriptedModel(name: string, script: ModelScript, parts: ModelParts): ScriptedModel {
  const { clocks, activity } = parts
  const questions: ModelQuestion[] = []
  const answering = new Set<object>()

  async function answerTo(question: ModelQuestion): Promise<ModelAnswer> {
    const number = questions.push(question)
    const said =
      typeof script === 'function' ? await callScript(script, question, number) : script[number - 1]
    if (said === undefined)
      throw problem(
        `the model "${name}" has no answer to question ${number}${typeof script === 'function' ? '' : ` of its script of ${script.length}`}`,
        'Give it another answer, or a function. The host asks again where an answer fails before its first text.',
      )
    return typeof said === 'string' ? { text: said } : said
  }

  async function callScript(
    script: Extract<ModelScript, (...args: never[]) => unknown>,
    question: ModelQuestion,
    number: number,
  ): Promise<string | ModelAnswer> {
    try {
      return await script(question)
    } catch (cause) {
      throw problem(
        `the function of the model "${name}" threw at question ${number}: ${cause}`,
        'To let the model fail, return { error: { status: 400 } }.',
        { cause },
      )
    }
  }

  function problem(sentence: string, hint: string, options?: ErrorOptions): TestHostError {
    const error = new TestHostError(sentence, hint, options)
    parts.onProblem(error)
    return error
  }

  /** The name by which a model of a real host calls a tool. */
  function toolName(tool: string, { tools }: ModelQuestion): string {
    const [plugin = '', ...method] = tool.split('.')
    const whole = `${plugin}__${method.join('.')}`
    const found = tools.find((one) => one === tool || one === whole || endOf(one) === cleaned(whole))
    if (found !== undefined) return found
    throw problem(
      `the script of the model "${name}" calls ${tool}, which the session does not have`,
      `It has: ${tools.join(', ') || 'no tools'}.`,
    )
  }

  /** Lets `ms` pass on the clock, or until the host gives the request up. */
  async function pause(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stop = clocks.host.setTimer(resolve, ms)
    const leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
    await promise.finally(() => {
      stop()
      signal.removeEventListener('abort', leave)
    })
  }

  async function* say(
    question: ModelQuestion,
    signal: AbortSignal,
  ): AsyncGenerator<LanguageModelV4StreamPart> {
    yield { type: 'stream-start', warnings: [] }
    const { text = [], everyMs = 0, call, error, finish, usage } = await answerTo(question)
    const pieces = typeof text === 'string' ? [text] : text
    if (pieces.length > 0) yield { type: 'text-start', id: '0' }
    for (const [at, delta] of pieces.entries()) {
      if (at > 0 && everyMs > 0) await pause(everyMs, signal)
      yield { type: 'text-delta', id: '0', delta }
    }
    if (pieces.length > 0) yield { type: 'text-end', id: '0' }
    if (error) throw failure(error)
    if (call)
      yield {
        type: 'tool-call',
        toolCallId: `call_${questions.length}`,
        toolName: toolName(call.tool, question),
        input: JSON.stringify(call.args ?? {}),
      }
    const unified = finish ?? (call ? 'tool-calls' : 'stop')
    yield { type: 'finish', finishReason: { unified, raw: undefined }, usage: usageOf(usage) }
  }

  const doStream: LanguageModelV4['doStream'] = async (options) => {
    const signal = options.abortSignal ?? new AbortController().signal
    const parts = say(questionOf(options), signal)
    const over = activity.begin()
    answering.add(over)
    const end = () => {
      answering.delete(over)
      over()
    }
    signal.addEventListener('abort', end, { once: true })
    const stream = new ReadableStream<LanguageModelV4StreamPart>(
      {
        async pull(controller) {
          activity.touch()
          try {
            const { done, value } = await parts.next()
            if (!done) return controller.enqueue(value)
            controller.close()
          } catch (error) {
            controller.error(error)
          }
          end()
        },
        async cancel() {
          end()
          await parts.return(undefined)
        },
      },
      { highWaterMark: 0 },
    )
    return { stream }
  }

  return {
    model: {
      specificationVersion: 'v4',
      provider: 'svc-testing',
      modelId: name,
      supportedUrls: {},
      doStream,
      doGenerate: () => Promise.reject(new Error('the host streams each answer')),
    },
    questions,
    get answering() {
      return answering.size
    },
  }
}

const questionOf = ({ prompt, tools = [], maxOutputTokens }: LanguageModelV4CallOptions): ModelQuestion => ({
  messages: prompt.map((message) => ({ role: message.role, text: textOf(message) })),
  tools: tools.map(({ name }) => name),
  maxTokens: maxOutputTokens,
})

/** The texts of a message, and what tools answered in it. */
function textOf({ content }: LanguageModelV4Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : resultOf(part))).join('')
}

function resultOf(part: Exclude<LanguageModelV4Message['content'], string>[number]): string {
  if (part.type !== 'tool-result' || !('value' in part.output)) return ''
  const { value } = part.output
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An error as the AI SDK makes one of a server that refuses, or cannot be reached. */
const failure = (error: ModelError): Error =>
  'status' in error
    ? Object.assign(new Error(`HTTP ${error.status}`), { name: 'AI_APICallError', statusCode: error.status })
    : Object.assign(new Error(error.code), { code: error.code })

const usageOf = (usage: ModelAnswer['usage']): LanguageModelV4Usage => ({
  inputTokens: { total: usage?.input, noCache: usage?.input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: usage?.output, text: usage?.output, reasoning: undefined },
})

/** What servers of models do not take in a name is cleaned, and of a long one its end stays, behind a hash of it. */
const cleaned = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(-54)
const endOf = (name: string): string | undefined => /^t[\da-f]{8}_(.*)$/.exec(name)?.[1]
