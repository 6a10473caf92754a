import { APICallError } from '@ai-sdk/provider'
import type { OpenaiServer } from '../openai.ts'
import type { ByteReader } from './byte-reader.ts'
import { type ChatRequest, postChat } from './chat-request.ts'

/** The paths that a server is asked at. */
export type EndpointPath = '/chat/completions' | '/embeddings'

/** What a caller asks. */
export type Ask = Pick<ChatRequest, 'headers' | 'body' | 'signal' | 'model'>

/** Ends of a base URL that name more than the base. */
const ENDS: readonly string[] = ['/chat/completions', '/completions', '/embeddings', '/models']
/** Where most servers have the protocol, whoever leaves it out. */
const VERSION = '/v1'
/** What a server says of a path that it does not have. */
const NO_PATH: ReadonlySet<unknown> = new Set([404, 405])

/**
 * Opens one path of a server. A query of the base URL stays behind the path. Azure gets its key in a header of its own. A
 * base URL without a path is tried as it is, then with `/v1`, and what was right is remembered.
 */
export function openEndpoint({ baseURL, apiKey, limits, clock }: OpenaiServer, path: EndpointPath) {
  const base = new URL(baseURL)
  const { searchParams: query } = base
  const own = baseOf(base.pathname)
  const isAzure = query.has('api-version') || base.hostname.endsWith('.azure.com')
  const key =
    apiKey !== undefined && (isAzure ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` })
  query.delete('api-version')
  const secrets = [apiKey ?? '', ...query.values()]
  let prefix = ''

  const post = (asked: Ask, prefixed: string): Promise<ByteReader> =>
    postChat({
      ...asked,
      url: urlAt(prefixed),
      headers: { 'content-type': 'application/json', ...key, ...asked.headers },
      maxBytes: limits.MODEL_RESPONSE_MAX_BYTES,
      clock,
      secrets,
    })

  function urlAt(prefixed: string): URL {
    const url = new URL(baseURL)
    url.pathname = own + prefixed + path
    return url
  }

  return {
    /** Where it is, as far as is known. */
    url: (): URL => urlAt(prefix),
    secrets,
    /** Posts a request; rejects as `postChat` does. */
    async post(asked: Ask): Promise<ByteReader> {
      const first = await post(asked, prefix).catch((error: unknown) => {
        if (own !== '' || prefix !== '' || !isNowhere(error)) throw error
        return error
      })
      if (!(first instanceof Error)) return first as ByteReader
      const second = await post(asked, VERSION).catch((error: unknown) => {
        if (isNowhere(error)) throw first
        prefix = VERSION
        throw error
      })
      prefix = VERSION
      return second
    },
  }
}

function baseOf(path: string): string {
  if (path.endsWith('/')) return baseOf(path.slice(0, -1))
  const end = ENDS.find((one) => path.endsWith(one))
  return end === undefined ? path : path.slice(0, -end.length)
}

const isNowhere = (error: unknown): boolean => APICallError.isInstance(error) && NO_PATH.has(error.statusCode)
