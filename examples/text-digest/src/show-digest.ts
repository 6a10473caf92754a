import type { CompletionResult } from '@svc/sdk'
import { byId } from './by-id.ts'
import { type Digest, fields } from './fields.ts'
import { make } from './make.ts'
import { pickDigest } from './pick-digest.ts'
import { readDigest } from './read-digest.ts'

/** The host's own model for development. */
const DEV_MODEL = 'svc-dev'

/** Shows the digest that a model made of a text, or what it said instead and why; without a model, what the page can pick. */
export function showDigest(
  text: string,
  { content, model, stopReason, usage }: CompletionResult,
  tookMs: number,
): void {
  // The development model repeats the question, so the page picks what it can from the text itself.
  const digest = model === DEV_MODEL ? pickDigest(text) : readDigest(content.text)
  const note = digest && model !== DEV_MODEL ? '' : noteOf(model, stopReason)
  byId('note').hidden = note === ''
  byId('note').textContent = note
  byId('title').textContent = digest?.title?.[0] ?? 'No digest'
  byId('fields').replaceChildren(...(digest ? rowsOf(digest) : []))
  byId('said').textContent = content.text
  // What scrolls can be reached by the keyboard.
  byId('said').tabIndex = 0
  byId('raw', HTMLDetailsElement).open = digest === null
  byId('usage').textContent = usageOf(model, usage, tookMs)
  byId('digest').hidden = false
  byId('title').focus()
}

function noteOf(model: string, stopReason: CompletionResult['stopReason']): string {
  if (model === DEV_MODEL)
    return 'No model read this text. The development model only repeats the question, so this page picked words, sentences and dates from the text itself. For a real digest, start the host with SVC_LLM_BASE_URL and SVC_LLM_MODEL.'
  if (stopReason === 'maxTokens')
    return 'The answer reached its token limit and was cut off, so its fields cannot be read.'
  return 'The model did not answer with the fields that it was asked for. This is what it said:'
}

function* rowsOf(digest: Digest): Generator<HTMLElement> {
  for (const { key, name, isList } of fields) {
    const texts = digest[key] ?? []
    if (key === 'title' || texts.length === 0) continue
    const items = texts.map((text) => make('li', {}, text))
    yield make('dt', {}, name)
    yield make('dd', { id: `field-${key}` }, ...(isList ? [make('ul', {}, ...items)] : texts))
  }
}

function usageOf(model: string, usage: CompletionResult['usage'], tookMs: number): string {
  const count = new Intl.NumberFormat(document.documentElement.lang)
  const { inputTokens, outputTokens, totalTokens } = usage
  const tokens = `${count.format(inputTokens)} tokens in, ${count.format(outputTokens)} out, ${count.format(totalTokens)} in all`
  return `${model} · ${tokens} · ${(tookMs / 1_000).toFixed(1)} s`
}
