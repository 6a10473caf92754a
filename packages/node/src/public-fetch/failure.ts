/** What is told of a connection that failed: by the code alone, because Node's sentences hold addresses. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'its host takes no connection'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'the headers of its answer are too long'],
  [/^HPE_|^HTTPParserError$|^UND_ERR_(RES|INVALID)/, 'its answer is not HTTP'],
  [/CERT|SIGNATURE|ISSUER/, 'the certificate of its host is not valid'],
  [/^ERR_(SSL|TLS)|^EPROTO$/, 'its host speaks no TLS'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/, 'the connection broke off'],
]

/** Why a fetch failed, as the end of a sentence; it names no address. */
export function failureOf(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : {}
  const said = String(code ?? name)
  return sentences.find(([codes]) => codes.test(said))?.[1] ?? 'the connection failed'
}
