import { fieldsOf, parsed } from '../members.ts'

/** What a server said as it refused a request. */
export interface RefusalWords {
  readonly status: number
  /** All of its words in lower case. */
  readonly text: string
  /** What it names as wrong, where it says so in fields of their own: `tools.function.strict`. */
  readonly named: readonly string[]
}

/** Characters of a refusal that are looked at. */
const READ_CHARS = 16_384
/** Statuses of a refusal that is not about what was asked: the key, the bill, the load. */
const ofOthers: ReadonlySet<number> = new Set([401, 402, 403, 408, 409, 425, 429, 502, 503, 504, 529])
const FIRST_STATUS = 400

/** What an error says of a request; `null`: it is not about that. */
export function refusalWords(error: unknown): RefusalWords | null {
  const { statusCode: status, responseBody } = Object(error)
  if (typeof status !== 'number' || status < FIRST_STATUS || ofOthers.has(status)) return null
  const body = typeof responseBody === 'string' ? responseBody.slice(0, READ_CHARS) : ''
  return {
    status,
    text: body.toLowerCase().replaceAll('\\"', '"').replaceAll(/\s+/g, ' '),
    named: namedIn(body),
  }
}

function namedIn(body: string): string[] {
  const named: string[] = []
  const left = [parsed(body)]
  // It grows while it is read.
  for (const value of left) {
    const { loc, param } = fieldsOf(value)
    if (Array.isArray(loc)) named.push(pathOf(loc.join('.')))
    if (typeof param === 'string') named.push(pathOf(param))
    left.push(...Object.values(fieldsOf(value)))
  }
  return named
}

/** `body.tools[0].function.strict` → `tools.function.strict`. */
const pathOf = (path: string): string =>
  path
    .split(/[.[\]/#]+/)
    .filter((name, at) => name !== '' && !/^\d+$/.test(name) && !(at === 0 && name === 'body'))
    .join('.')
