import { wrongArg } from '@svc/contract'
import { isTextType } from '../../models/web/text-type.ts'
import type { WorkServices } from '../services.ts'

/** A part of a text that was fetched. */
export interface FetchedText extends TextPart {
  readonly url: string
  readonly type: string
}

/** A part of a text, and where the next begins; offsets count characters as `.length` does. */
export interface TextPart {
  readonly text: string
  readonly total_chars: number
  readonly next_offset: number | null
}

/** Reads a public URL as text from a character on. Errors: `invalid_arg`; the reason of `signal`. */
export async function fetchText(
  { limits, publicFetch }: Pick<WorkServices, 'limits' | 'publicFetch'>,
  url: string,
  offset: number,
  signal: AbortSignal,
): Promise<FetchedText> {
  const options = { maxBytes: limits.WEB_FETCH_MAX_BYTES, signal }
  const { bytes, type } = await publicFetch.get(publicFetch.judge(url), options)
  if (!isTextType(type))
    throw wrongArg('url', `must lead to text, got ${type === '' ? 'no media type' : type}`)
  const whole = new TextDecoder().decode(bytes)
  return { url, type, ...partOf(whole, offset, limits.WEB_FETCH_TEXT_MAX_CHARS) }
}

/** The part of a text from a character on. */
export function partOf(whole: string, offset: number, maxChars: number): TextPart {
  const end = wholeLetters(whole, offset + maxChars)
  const next_offset = end < whole.length ? end : null
  return { text: whole.slice(offset, end), total_chars: whole.length, next_offset }
}

const BEYOND_ONE_UNIT = 0xffff

/** The place before `end` that parts no letter of two units: servers of models refuse half of one. */
const wholeLetters = (text: string, end: number) =>
  (text.codePointAt(end - 1) ?? 0) > BEYOND_ONE_UNIT ? end - 1 : end
