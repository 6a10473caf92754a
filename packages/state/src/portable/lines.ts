import { isDeeper } from '@svc/node'
import { ArchiveError } from './archive-error.ts'
import { LINE_LEVELS } from './entries.ts'
import type { ItemPiece, JournalPiece, Piece, RecordPiece } from './piece.ts'

/** A piece that is a line of a part. */
export type LinePiece = RecordPiece | JournalPiece | ItemPiece

/** Whether a piece is a line of a part. */
export const isLine = (piece: Piece): piece is LinePiece =>
  piece.kind === 'record' || piece.kind === 'journal' || piece.kind === 'item'

/** Writes a piece as its line, without the line feed. */
export function lineOf(piece: LinePiece): string {
  const text = JSON.stringify
  if (piece.kind === 'record')
    return `{"collection":${text(piece.collection)},"id":${text(piece.id)},"revision":${piece.revision},"row":${piece.row}}`
  if (piece.kind === 'journal')
    return `{"journal":${text(piece.journal)},"first":${piece.first},"tail":${piece.tail}}`
  return `{"seq":${piece.seq},"at":${piece.at},"item":${text(piece.item)}}`
}

type Fields = Readonly<Record<string, unknown>>
type Check = readonly [is: (value: unknown) => boolean, must: string]

const isText: Check = [(value) => typeof value === 'string', 'must be a text']
const isNumber: Check = [(value) => Number.isSafeInteger(value), 'must be a whole number']
const isPlace: Check = [
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'must be a whole number from 0',
]
const isAny: Check = [(value) => value !== undefined, 'must be a JSON value']
const isJson: Check = [
  (value) => typeof value === 'string' && isJsonText(value),
  'must be a text that is JSON',
]

/** The fields of each line. */
const shapes: Readonly<Record<LinePiece['kind'], Readonly<Record<string, Check>>>> = {
  record: { collection: isText, id: isText, revision: isPlace, row: isAny },
  journal: { journal: isText, first: isPlace, tail: isPlace },
  item: { seq: isPlace, at: isNumber, item: isJson },
}

/** Reads a line of a part. `where` begins the sentence of what is wrong with it. Throws `ArchiveError` `damaged`. */
export function pieceOf(line: string, folder: 'records' | 'journals', where: string): LinePiece {
  const fields = parse(line, where)
  const kind = folder === 'records' ? 'record' : 'journal' in fields ? 'journal' : 'item'
  const shape = shapes[kind]
  for (const [name, [is, must]] of Object.entries(shape))
    if (!is(fields[name])) throw bad(where, `${JSON.stringify(name)} ${must}`)
  const stranger = Object.keys(fields).find((name) => !Object.hasOwn(shape, name))
  if (stranger !== undefined) throw bad(where, `there is no field ${JSON.stringify(stranger)}`)
  if (kind !== 'record') return { kind, ...fields } as LinePiece
  const piece = { kind, ...fields, row: JSON.stringify(fields.row) } as LinePiece
  // Written otherwise than we write it: its numbers may be such that JSON.stringify writes null for them.
  if (lineOf(piece) !== line) refuseInfinite(line, where)
  return piece
}

function parse(line: string, where: string): Fields {
  if (isTooDeep(line)) throw bad(where, `it nests deeper than ${LINE_LEVELS} levels`)
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw bad(where, 'it is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw bad(where, 'it must be an object')
  return value as Fields
}

const isTooDeep = (text: string) => text.length > LINE_LEVELS && isDeeper(Buffer.from(text), LINE_LEVELS)

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return !isTooDeep(text)
  } catch {
    return false
  }
}

function refuseInfinite(line: string, where: string): void {
  JSON.parse(line, (_name, value) => {
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY)
      throw bad(where, 'it has a number that is too large')
    return value
  })
}

const bad = (where: string, reason: string) => new ArchiveError('damaged', `${where}: ${reason}`)
