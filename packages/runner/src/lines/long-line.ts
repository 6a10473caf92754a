import type { Limits } from '@svc/contract/limits'
import type { Fields } from './fields.ts'
import { JsonWalk } from './json-walk.ts'
import { HEAD_BYTES } from './payload.ts'
import { beginningOf, bytesOf, stretchOf, textOf } from './pieces.ts'
import { type Spot, spot } from './spot.ts'

const QUOTE = 0x22
const OPEN_OBJECT = 0x7b
/** What a plugin says of a failure is parsed up to this length; of more than that it is the beginning that counts. */
const FAILURE_PARSED_BYTES = 16_384
/** The most bytes that JSON takes to write one character. */
const CHARACTER_BYTES = 6

/** JSON text that lies in pieces, which is not parsed. */
export interface LongJson {
  /** Its bytes, in order. */
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
  /** How many it takes without white space and needless escapes. */
  readonly compactBytes: number
}

/** What the top level of a message says about whose it is; what was not seen is missing. */
export interface LineHeader {
  readonly id?: unknown
  readonly method?: unknown
  /** Whether it has a result or an error. */
  readonly answers: boolean
}

/** A line that was looked at as it came. */
export interface LongLine {
  /** Its bytes, up to those that were kept. */
  readonly pieces: readonly Uint8Array[]
  /** `cut`: only its beginning was kept. `deep`: past the depth it is not looked at. */
  readonly is: 'json' | 'noise' | 'cut' | 'deep'
  /** Its values and names: what a parser spends its time on. */
  readonly parts: number
  /** `undefined`: it does not begin as an object. */
  readonly header: LineHeader | undefined
  /** What it says, where it is a reply. */
  reply(): LongReply
}

/** A reply that is not parsed. */
export interface LongReply {
  /** What is short of it. */
  readonly message: Fields
  /** What is under `result.output`; `undefined`: nothing. */
  readonly output: LongJson | undefined
  /** What is under `result`. */
  readonly result: LongJson | undefined
}

/** Looks at the lines of one process that are not worth parsing whole, while they come. */
export function openLongLines({ RESULT_DEPTH_MAX, ERROR_MESSAGE_MAX_CHARS }: Limits) {
  const [id, method, success, failed, output] = [spot(), spot(), spot(), spot(), spot()]
  const [code, words, name] = [spot(), spot(), spot()]
  const error = spot({ code, message: words, data: spot({ name }) })
  const result = spot({ success, error: failed, output })
  const root = spot({ id, method, error, result })
  const walk = new JsonWalk(root, RESULT_DEPTH_MAX)
  let isOver = false

  return {
    /** Takes the next piece of a line. */
    push(piece: Uint8Array): void {
      if (isOver) walk.reset()
      isOver = false
      walk.push(piece)
    },
    /** Whether what has come of a line is JSON. */
    isWhole: () => !isOver && walk.state === 'whole',
    /** Forgets the line that has begun. */
    drop(): void {
      isOver = true
    },
    /** The line has ended after `length` bytes, of which these were pushed. What it gives holds until the next piece. */
    end(pieces: readonly Uint8Array[], length: number): LongLine {
      walk.end()
      isOver = true
      const isObject = root.from !== -1 && firstOf(root) === OPEN_OBJECT
      const stretch = ({ from, to }: Spot) => stretchOf(pieces, from, to)

      function firstOf({ from }: Spot): number | undefined {
        return stretchOf(pieces, from, from + 1)[0]?.[0]
      }
      const short = (one: Spot): unknown => {
        if (one.to === -1) return undefined
        return one.to - one.from > HEAD_BYTES ? null : JSON.parse(textOf(stretch(one)))
      }
      /** The beginning of a text, or of the JSON text of anything else. */
      const beginning = (one: Spot): string => {
        const to = Math.min(one.to, one.from + CHARACTER_BYTES * (ERROR_MESSAGE_MAX_CHARS + 2))
        const text = textOf(stretchOf(pieces, one.from, to))
        return (firstOf(one) === QUOTE ? beginningOf(text) : text).slice(0, ERROR_MESSAGE_MAX_CHARS)
      }
      const failure = (one: Spot, header: () => unknown): unknown => {
        if (one.to - one.from <= FAILURE_PARSED_BYTES) return JSON.parse(textOf(stretch(one)))
        return firstOf(one) === QUOTE ? beginning(one) : header()
      }
      const errorOf = () =>
        failure(error, () => ({
          code: short(code),
          message: words.to !== -1 && firstOf(words) === QUOTE ? beginning(words) : undefined,
          data: { name: short(name) },
        }))
      const resultOf = () =>
        firstOf(result) === OPEN_OBJECT
          ? {
              success: short(success),
              ...(failed.to !== -1 && { error: failure(failed, () => beginning(failed)) }),
            }
          : null

      const jsonOf = (one: Spot): LongJson | undefined => {
        if (one.to === -1) return undefined
        const bytes = one.to - one.from
        return { pieces: stretch(one), bytes, compactBytes: bytes - one.spare }
      }

      return {
        pieces,
        parts: walk.parts,
        is: judged(walk, bytesOf(pieces) < length),
        header: isObject
          ? {
              ...(id.to !== -1 && { id: short(id) }),
              ...(method.to !== -1 && { method: short(method) }),
              answers: error.from !== -1 || result.from !== -1,
            }
          : undefined,
        reply: () => ({
          message: {
            id: short(id),
            ...(error.to !== -1 && { error: errorOf() }),
            ...(result.to !== -1 && { result: resultOf() }),
          },
          output: jsonOf(output),
          result: jsonOf(result),
        }),
      }
    },
  }
}

function judged({ isDeep, state }: JsonWalk, isCut: boolean): LongLine['is'] {
  if (isCut && (isDeep || state !== 'broken')) return 'cut'
  if (isDeep) return 'deep'
  return state === 'whole' ? 'json' : 'noise'
}
