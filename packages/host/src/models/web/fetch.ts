import { isUtf8 } from 'node:buffer'
import type { Methods, ResultOf } from '@svc/contract'
import type { ModelServices } from '../services.ts'

/** Media types that are read as text. */
const TEXT = /^(?:text\/.+|application\/(?:.+\+)?(?:json|xml|javascript|ecmascript|yaml|toml|sql|graphql))$/

/** Whether a media type, without parameters and in lower case, is one of text. */
export const isTextType = (type: string): boolean => TEXT.test(type)

/**
 * Reads a public URL whole: at most `WEB_FETCH_MAX_BYTES`. It is text where its type says so and its bytes are
 * UTF-8, so that no byte is lost on the way. Errors: `invalid_arg`; the reason of `signal`.
 */
export async function fetchPage(
  { limits, publicFetch }: Pick<ModelServices, 'limits' | 'publicFetch'>,
  url: string,
  signal: AbortSignal,
): Promise<ResultOf<Methods['web']['fetch']>> {
  const options = { maxBytes: limits.WEB_FETCH_MAX_BYTES, signal }
  const { bytes, type } = await publicFetch.get(publicFetch.judge(url), options)
  const about = { url, mime: type, size_bytes: bytes.length }
  return isTextType(type) && isUtf8(bytes)
    ? { ...about, text: bytes.toString('utf8') }
    : { ...about, bytes_b64: bytes.toString('base64') }
}
