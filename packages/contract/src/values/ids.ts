/** Each kind of id: what it looks like. Random parts are lower-case base 32 of 128 bits unless a line says otherwise. */
export const idKinds = {
  window: { pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/ },
  /** A uuid, as a caller may send its own. */
  run: { pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/ },
  user: { prefix: 'usr_' },
  app: { prefix: 'app_' },
  version: { prefix: 'ver_' },
  install: { prefix: 'ins_' },
  draft: { prefix: 'drf_' },
  /** The last part of a tool_id, which has a form of its own. */
  plug: { prefix: '' },
  invoke: { prefix: 'inv_' },
  artifact: { prefix: 'art_' },
  /** A question to the user about one call of a tool. */
  approval: { prefix: 'apv_' },
  host: { prefix: 'hst_' },
  runner: { prefix: 'rnr_' },
  /** What a machine shows to link itself; the host keeps its digest alone. */
  runnerToken: { prefix: 'svcr_' },
  /** What a machine signs to show that it has its key. */
  nonce: { prefix: 'nnc_' },
  file: { prefix: 'file_' },
  /** What a plugin names the call by in which it asks for a session. */
  sampling: { prefix: 'smp_' },
  session: { prefix: 'aps_' },
  stream: { prefix: 'strm_' },
  /** With 32 hexadecimal digits. */
  job: { prefix: 'tjob_', pattern: /^tjob_[0-9a-f]{32}$/ },
} as const satisfies Record<string, { prefix?: string; pattern?: RegExp }>

/** A kind of id. */
export type IdKind = keyof typeof idKinds

/** Makes an id of a kind; comes in through `createHost({ newId })` so that tests are repeatable. */
export type NewId = (kind: IdKind) => string

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** What stands for each byte: an id is a look-up a byte. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BASE32 = Array.from({ length: 256 }, (_, byte) => ALPHABET.charAt(byte & 31))

function spell(bytes: Uint8Array, letters: readonly string[]): string {
  let text = ''
  for (const byte of bytes) text += letters[byte]
  return text
}

/** Makes ids from a source of random bytes. */
export function idMaker(randomBytes: (count: number) => Uint8Array): NewId {
  const hex = () => spell(randomBytes(16), HEX)
  const text = () => spell(randomBytes(26), BASE32)
  const uuid = () => {
    const digits = hex()
    const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) & 3]
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
  }
  return (kind) => {
    if (kind === 'window' || kind === 'run') return uuid()
    if (kind === 'job') return `tjob_${hex()}`
    return `${idKinds[kind].prefix}${text()}`
  }
}
