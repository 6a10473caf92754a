import type { SharedV4Warning } from '@ai-sdk/provider'
import { parseKeeping } from '@svc/contract/exact-json'
import { PAGE } from '../fixes.ts'
import { type Fields, fieldsOf, textOf } from '../members.ts'
import type { ModelPart } from '../part-reader.ts'
import { serverErrorIn } from '../server-error.ts'
import { choiceOf, contentOf, type Place, places, saidAt, thoughtOf, unwrapped } from './chat-chunk.ts'
import { finishOf } from './chat-finish.ts'
import { type Counts, countsIn, usageOf } from './chat-usage.ts'
import { openRepeats } from './repeats.ts'
import { argumentsOf, openToolCalls } from './tool-calls.ts'

/** The blocks of an answer: it says one after the other, and each kind has one id. */
const blocks = {
  text: { id: 'txt-0', start: 'text-start', delta: 'text-delta', end: 'text-end' },
  reasoning: { id: 'reasoning-0', start: 'reasoning-start', delta: 'reasoning-delta', end: 'reasoning-end' },
} as const
type Block = keyof typeof blocks

/** Who makes parts of an answer. */
export interface PartsOptions {
  /** What the parts name that tell something of a provider alone. */
  readonly provider: string
  readonly warnings: SharedV4Warning[]
  /** The names of the tools that may be called. */
  readonly tools: ReadonlySet<string>
  /** The failure of an answer that tells of an error, in its own words. */
  said(words: string): Error
  /** That of an answer that is none, or of one that ends in the middle. */
  broken(reason: 'malformed' | 'unfinished', what: string, fix?: string): Error
}

const DONE = '[DONE]'
/** The names of events that say that an answer is whole. */
const ends: ReadonlySet<string> = new Set(['done', 'end', 'complete'])
/** The names of events that may tell of an error without saying so. */
const plain: ReadonlySet<string> = new Set(['', 'message', 'error'])

/** Opens what makes parts of the events of an answer, whatever of the protocol a server keeps to. */
export function openChatParts(
  { provider, warnings, tools, said, broken }: PartsOptions,
  add: (part: ModelPart) => void,
) {
  const toolCalls = openToolCalls(provider, tools, add)
  const repeats = openRepeats()
  let block: Block | null = null
  let place: Place | null = null
  let isNamed = false
  let hasRefusal = false
  let hasFailed = false
  let isDone = false
  /** The last that came was the count of its tokens, which follows a whole answer. */
  let isCounted = false
  /** Something of it was understood. */
  let isAnswer = false
  let isPage = false
  let finish: string | null = null
  let counts: Counts | null = null

  function leave(): void {
    if (block) add({ type: blocks[block].end, id: blocks[block].id })
    block = null
  }

  function say(kind: Block, delta: string): void {
    const { id, start, delta: type } = blocks[kind]
    isCounted = false
    if (block !== kind) {
      leave()
      add({ type: start, id })
      block = kind
    }
    add({ type, id, delta })
  }

  function fail(error: Error): void {
    hasFailed = true
    add({ type: 'error', error })
  }

  /** Hears what an event says in a place; returns whether that is anything. */
  function hear(choice: Fields, at: Place, text: string): boolean {
    const said = saidAt(choice, at)
    const [thought, content, refusal] = [thoughtOf(said), contentOf(said.content), textOf(said.refusal)]
    if (thought !== '') say('reasoning', thought)
    if (content !== '') say('text', content)
    if (refusal !== null) {
      hasRefusal = true
      say('text', refusal)
    }
    const calls = said.tool_calls == null && said.function_call == null ? [] : callsOf(said)
    // Numbers in arguments that came as an object are read with all their digits.
    const exact = calls.some(hasObject)
      ? callsOf(saidAt(fieldsOf(choiceOf(unwrapped(fieldsOf(parseKeeping(text))))), at))
      : calls
    for (const call of exact) toolCalls.add(fieldsOf(call))
    const isMore = thought !== '' || refusal !== null || calls.length > 0
    if (content !== '' && !isMore && at === 'delta') repeats.learn(text, content)
    return isMore || content !== ''
  }

  function take(chunk: Fields, choice: Fields | null, text: string): void {
    const { model, promptFeedback } = chunk
    if (!isNamed && typeof model === 'string' && model !== '') {
      isNamed = true
      add({ type: 'response-metadata', modelId: model })
    }
    const counted = countsIn(chunk, choice)
    counts = counted ?? counts
    if (counted) isCounted = choice === null
    if (promptFeedback != null && fieldsOf(promptFeedback).blockReason != null) finish = 'content_filter'
    if (choice === null) return
    isAnswer = true
    finish = textOf(choice.finish_reason) ?? textOf(choice.finishReason) ?? finish
    if (place === null) place = places.find((one) => hear(choice, one, text)) ?? null
    else hear(choice, place, text)
  }

  function conclude(): void {
    if (!toolCalls.end()) fail(broken('malformed', 'a tool call has no name'))
    const finishReason = finishOf({ finish, hasRefusal, hasCalls: toolCalls.hasCalls() })
    if (!hasFailed) add({ type: 'finish', finishReason, usage: usageOf(counts) })
  }

  add({ type: 'stream-start', warnings })
  return {
    /** Whether an event says a text and is like the last one besides, so that this is all there is to it. */
    again(data: string): boolean {
      const text = isDone || hasFailed ? null : repeats.textOf(data)
      if (text !== null && text !== '') say('text', text)
      return text !== null
    },
    /** The value of an event with its name and text. `isBare`: it did not come in a stream of events. */
    value(value: unknown, name: string, text: string, isBare: boolean): void {
      if (isDone || hasFailed) return
      const chunk = unwrapped(fieldsOf(value))
      const choice = choiceOf(chunk)
      const mayFail =
        (choice === null && plain.has(name)) ||
        chunk.error != null ||
        choice?.error != null ||
        name === 'error'
      if (mayFail && serverErrorIn(value, name === 'error')) fail(said(text))
      else take(chunk, choice, text)
      if ((isAnswer && ends.has(name)) || value === DONE) isDone = true
      // Ollama's own lines say which is the last; a completion that is not streamed is whole.
      if (isBare && Array.isArray(chunk.choices) && choice?.delta == null) isDone = true
    },
    /** Data that is not JSON. `isLast`: the answer ended in it. */
    text(data: string, name: string, isLast: boolean): void {
      const word = data.trim()
      if (isDone || hasFailed) return
      if (word.toUpperCase() === DONE) isDone = true
      else if (name === 'error') fail(said(JSON.stringify({ message: word })))
      else if (word.startsWith('<')) isPage = true
      else if (isLast) isAnswer ||= /^[[{]/.test(word)
      // Any other word says that the server is alive.
      else if (/^[[{]/.test(word)) fail(broken('malformed', 'an event is not JSON'))
    },
    /** Whether the model has said why it ends, or the server that it has ended: not much can follow. */
    isEnding: (): boolean => isDone || finish !== null,
    /** The answer has ended. */
    end(): void {
      if (hasFailed) return
      leave()
      if (isDone || finish !== null || (isCounted && isAnswer)) conclude()
      else if (isAnswer) fail(broken('unfinished', 'the answer has no end'))
      else fail(broken('malformed', 'there is no answer', isPage ? PAGE : undefined))
    },
  }
}

/** The calls of a delta: a list, one of them without it, or one in the form of old functions. */
function callsOf({ tool_calls, function_call }: Fields): readonly unknown[] {
  if (function_call != null) return [{ index: 0, function: function_call }]
  return Array.isArray(tool_calls) ? tool_calls : [tool_calls]
}

const hasObject = (call: unknown): boolean => {
  return Object.values(fieldsOf(argumentsOf(fieldsOf(call)))).length > 0
}
