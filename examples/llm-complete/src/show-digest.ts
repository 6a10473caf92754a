import type { CompletionResult } from '@svc/sdk'
import { byId } from './by-id.ts'
import { type Digest, fields } from './fields.ts'
import { make } from './make.ts'
import { readDigest } from './read-digest.ts'

/** The host's own model for development. */
const DEV_MODEL = 'svc-dev'

/** Shows what a model answered: the fields, or, where there are none to be had, its words and why. */
export function showDigest({ content, model, stopReason, usage }: CompletionResult, tookMs: number): void {
  // The development model repeats the question, which is no digest, whatever can be read out of it.
  const digest = model === DEV_MODEL ? null : readDigest(content.text)
  const note = digest ? '' : noteOf(model, stopReason)
  byId('note').hidden = note === ''
  byId('note').textContent = note
  byId('title').textContent = digest?.title?.[0] ?? 'No digest'
  byId('fields').className = model === DEV_MODEL ? 'preview' : ''
  byId('fields').replaceChildren(...(model === DEV_MODEL ? preview() : digest ? rowsOf(digest) : []))
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
    return 'The development model answered: it repeats what it hears and digests nothing. From a real one, which SVC_LLM_BASE_URL and SVC_LLM_MODEL name when the host is started, would come:'
  if (stopReason === 'maxTokens')
    return 'The answer was cut off at the most tokens that it may have, so its fields cannot be read.'
  return 'The model did not answer with the fields that it was asked for. These are its words:'
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

const preview = () => fields.flatMap(({ name, wanted }) => [make('dt', {}, name), make('dd', {}, wanted)])

function usageOf(model: string, usage: CompletionResult['usage'], tookMs: number): string {
  const count = new Intl.NumberFormat(document.documentElement.lang)
  const { inputTokens, outputTokens, totalTokens } = usage
  const tokens = `${count.format(inputTokens)} tokens in, ${count.format(outputTokens)} out, ${count.format(totalTokens)} in all`
  return `${model} · ${tokens} · ${(tookMs / 1_000).toFixed(1)} s`
}
