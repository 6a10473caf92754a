import { overlong } from '../context/overlong.ts'
import type { Body } from './body.ts'
import { messageQuirks } from './message-quirks.ts'
import { without } from './paths.ts'
import type { Quirk } from './quirk.ts'
import type { RefusalWords } from './refusal-words.ts'
import { namedFields, saidFields } from './refused-fields.ts'
import { requestQuirks, tokenFields } from './request-quirks.ts'

/** Every quirk that is known. */
export const quirks: Readonly<Record<string, Quirk>> = {
  tools: requestQuirks.tools,
  simple_schemas: requestQuirks.simple_schemas,
  ...messageQuirks,
  no_tools: requestQuirks.no_tools,
  max_tokens: requestQuirks.max_tokens,
  whole: requestQuirks.whole,
}

/** Quirks whose number says how many. */
export const counted: ReadonlySet<string> = new Set(['tools', 'max_tokens'])

/** How the name of a quirk begins that is a field which the server does not take. */
export const NO_FIELD = 'no:'

/** What is known of a server: its quirks, each with its number where it has one. */
export type Known = ReadonlyMap<string, number>

/** The body as a server takes it of which so much is known. */
export function adapted(body: Body, known: Known): Body {
  let result = body
  for (const [name, quirk] of Object.entries(quirks)) {
    const value = known.get(name)
    if (value !== undefined) result = quirk.adapt(result, value)
  }
  if (known.has(NO_FIELD + tokenFields[0])) result = otherTokens(result)
  for (const name of known.keys())
    if (name.startsWith(NO_FIELD)) result = without(result, name.slice(NO_FIELD.length).split('.')) as Body
  return result
}

function otherTokens({ max_tokens, ...body }: Body): Body {
  return max_tokens === undefined ? body : { ...body, max_completion_tokens: max_tokens }
}

/** What a refusal of a body tells of a server, and what is not known yet; nothing where nobody knows. */
export function learnt(words: RefusalWords, body: Body, known: Known): [name: string, value: number][] {
  if (overlong(words.status, words.text)) return []
  const named = unknown(namedFields(words, body), known)
  if (named.length > 0) return named
  for (const [name, quirk] of Object.entries(quirks)) {
    const told = quirk.isTold(words, body)
    if (told !== false && (told !== true || !known.has(name))) return [[name, Number(told)]]
  }
  return unknown(saidFields(words, body), known)
}

const unknown = (paths: readonly string[], known: Known): [name: string, value: number][] =>
  paths.map((path) => NO_FIELD + path).flatMap((name) => (known.has(name) ? [] : [[name, 1]]))
