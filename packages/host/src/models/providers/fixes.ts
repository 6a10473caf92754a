/** What is wrong with a connection, by the code of Node or how it begins, and what an operator can change. */
const connections: readonly (readonly [code: RegExp, fix: string])[] = [
  [/^ECONNREFUSED$/, 'No server listens there: start it, or correct the port of SVC_LLM_BASE_URL.'],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'The name of the server is not known: correct SVC_LLM_BASE_URL, or see to the DNS.',
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    'No way leads to the server: see to the network, its firewalls and proxies, or correct SVC_LLM_BASE_URL.',
  ],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|EPROTO|ERR_SSL_PACKET_LENGTH_TOO_LONG)$/,
    'The server does not speak TLS on this port: write http:// in SVC_LLM_BASE_URL, or name its https port.',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'The certificate is for another name: use that name in SVC_LLM_BASE_URL.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the server has expired: renew it there.'],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'The certificate is not of an authority that this machine trusts: name the file of its authority in NODE_EXTRA_CA_CERTS.',
  ],
  [
    /^(CERT_|ERR_TLS_|ERR_SSL_)/,
    'The certificate or the TLS of the server cannot be used: correct it there.',
  ],
  [
    /^HPE_/,
    'Something other than HTTP answers on this port: write https:// in SVC_LLM_BASE_URL, or correct its port.',
  ],
  [
    /^ECONNRESET$/,
    'The server, or a proxy before it, closes connections: see to its log, and whether SVC_LLM_BASE_URL needs https://.',
  ],
]

/** What an operator can do about a connection that failed with a code of Node. */
export const connectionFix = (code: string): string | undefined =>
  connections.find(([pattern]) => pattern.test(code))?.[1]

/** What a refusal was: the model's name, and what the server said, which may be a web page. */
export interface RefusalFacts {
  readonly model: string
  readonly words: string
}

const ADDRESS =
  'Nothing answers chats at this address: correct SVC_LLM_BASE_URL, which ends with /v1 for most servers.'
/** What an operator can do where a web page came. */
export const PAGE =
  'A web page came instead of an answer, as of a sign-in or a proxy: correct SVC_LLM_BASE_URL, or let the host past it.'

/** What an operator can do about each status. */
const statuses: ReadonlyMap<number, string> = new Map([
  [400, 'The server refuses what the request says: its words are in `said`.'],
  [401, 'The server does not accept the key, or there is none: correct SVC_LLM_API_KEY.'],
  [402, 'The account of the key has no credit or quota left: raise it at the provider.'],
  [403, 'The key may not use this model, or not from here: correct SVC_LLM_API_KEY or SVC_LLM_MODEL.'],
  [404, ADDRESS],
  [405, ADDRESS],
  [407, 'A proxy wants a sign-in: see to HTTPS_PROXY and its user.'],
  [413, 'The request is larger than the server, or a proxy before it, takes: raise its limit for bodies.'],
  [422, 'The server refuses a field of the request: its words are in `said`.'],
  [429, 'The server limits the requests of this key: wait, or raise the limit at the provider.'],
])

const FIRST_REFUSAL = 400
const SERVER_ERRORS = 500
/** What nginx and Go say to a request without TLS. */
const HTTPS_PORT = /HTTP request (was sent )?to (an )?HTTPS/
const BROKEN =
  'See to the log of the server: it may be loading the model, be overloaded, or be out of memory.'

/** What an operator can do about a refusal. */
export function refusalFix(status: number, { model, words }: RefusalFacts): string | undefined {
  if (status >= SERVER_ERRORS) return BROKEN
  if (HTTPS_PORT.test(words)) return 'The server wants TLS on this port: write https:// in SVC_LLM_BASE_URL.'
  if (status < FIRST_REFUSAL || /^\s*<[!?a-z]/i.test(words)) return PAGE
  if (status === 404 && (words.includes(model) || /\b(model|deployment)\b/i.test(words)))
    return `The server has no model ${JSON.stringify(model)}: pull or deploy it there, or correct SVC_LLM_MODEL.`
  return statuses.get(status) ?? ADDRESS
}
