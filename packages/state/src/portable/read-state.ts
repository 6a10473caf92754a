import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type TarFile, unpackTar } from '@svc/node/archive'
import { ArchiveError, type ArchiveErrorCode } from './archive-error.ts'
import { FORMAT, LINE_BYTES, names, SMALL_BYTES, sumLine } from './entries.ts'
import { inOrder } from './in-order.ts'
import { pieceOf } from './lines.ts'
import type { Piece, Pieces } from './piece.ts'
import { checkedBytes } from './write-state.ts'

const PART = /^(records|journals)\/\d{6,9}\.ndjson$/
const BLOB = /^blobs\/([0-9a-f]{64})$/
const LINE_FEED = 0x0a

/**
 * Reads an archive chunk by chunk; at most one line of it is in memory at once. Throws `ArchiveError`, also behind the
 * last piece: what was read before counts only once all of it was read.
 */
export const readState = (chunks: AsyncIterable<Uint8Array>): Pieces => inOrder(piecesOf(chunks))

async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const reader = openReader()
  try {
    for await (const file of unpackTar(chunks)) yield* reader.read(file)
  } catch (error) {
    // The first block says whether it is an archive at all.
    throw archiveErrorOf(error, reader.hasBegun() ? 'damaged' : 'not_ours')
  }
  if (!reader.hasEnded()) throw new ArchiveError('damaged', `the archive ends before ${names.sums}`)
}

/** Reads the files of one archive, each of which must be the next that an archive has. */
function openReader() {
  let sums = ''
  let last = ''
  const numbers = { records: 0, journals: 0 }

  /** The bytes of a file that is summed. */
  async function* summed({ path, bytes }: TarFile): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk
    }
    sums += sumLine(hash.digest('hex'), path)
  }

  async function small(file: TarFile): Promise<string> {
    if (file.size > SMALL_BYTES)
      throw new ArchiveError(
        'damaged',
        `${file.path} has ${file.size} bytes; at most ${SMALL_BYTES} are allowed`,
      )
    return textOf(await buffer(summed(file)), file.path)
  }

  async function* part(file: TarFile, folder: 'records' | 'journals'): AsyncGenerator<Piece> {
    numbers[folder] += 1
    if (file.path !== names.part(folder, numbers[folder]))
      throw new ArchiveError('damaged', `${names.part(folder, numbers[folder])} is missing`)
    let number = 0
    for await (const line of linesOf(summed(file), file.path)) {
      number += 1
      yield pieceOf(line, folder, `line ${number} of ${file.path} cannot be used`)
    }
  }

  async function end(file: TarFile): Promise<void> {
    const isSame = file.size === sums.length && (await buffer(chunksOf(file))).equals(Buffer.from(sums))
    if (!isSame) throw new ArchiveError('damaged', 'the archive is not what was written: a check sum differs')
  }

  return {
    hasBegun: () => last !== '',
    hasEnded: () => last === names.sums,
    async *read(file: TarFile): AsyncGenerator<Piece> {
      const { path, size, bytes } = file
      const isFirst = last === ''
      if (isFirst !== (path === names.state) || last === names.sums) throw stranger(path, isFirst)
      last = path
      const [, folder] = PART.exec(path) ?? []
      const [, digest] = BLOB.exec(path) ?? []
      if (path === names.state) yield { kind: 'state', revision: revisionOf(await small(file)) }
      else if (folder !== undefined) yield* part(file, folder as 'records' | 'journals')
      else if (digest !== undefined) yield* blob(digest, size, bytes)
      else if (path === names.secret) yield { kind: 'secret', secret: (await small(file)).replace(/\n$/, '') }
      else if (path === names.sums) await end(file)
      else throw stranger(path, false)
    },
  }
}

async function* blob(digest: string, size: number, bytes: TarFile['bytes']): AsyncGenerator<Piece> {
  const checked = checkedBytes({ kind: 'blob', digest, size, bytes })
  yield {
    kind: 'blob',
    digest,
    size,
    bytes: { [Symbol.asyncIterator]: () => ({ next: () => checked.next().catch(refuse) }) },
  }
  // What was not read is judged as well.
  for await (const _ of checked);
}

async function* chunksOf({ bytes }: TarFile): AsyncGenerator<Uint8Array> {
  yield* bytes
}

/** Says what is wrong with a tar as an error of ours; others stay as they are. */
function archiveErrorOf(error: unknown, code: ArchiveErrorCode): unknown {
  if ((error as { code?: string }).code !== 'invalid_arg') return error
  return new ArchiveError(code, (error as Error).message, { cause: error })
}

/** Who reads a blob is told of what is wrong behind it. */
function refuse(error: unknown): never {
  throw archiveErrorOf(error, 'damaged')
}

/** Cuts bytes into lines. Every line ends with a line feed. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<string> {
  let carried: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED)
    if (end < 0) {
      carried.push(chunk)
      size += chunk.length
      if (size > LINE_BYTES)
        throw new ArchiveError('damaged', `${path} has a line of more than ${LINE_BYTES} bytes`)
      continue
    }
    const text = textOf(Buffer.concat([...carried, chunk.subarray(0, end)]), path)
    yield* text.split('\n')
    carried = [chunk.subarray(end + 1)]
    size = chunk.length - end - 1
  }
  if (size > 0) throw new ArchiveError('damaged', `${path} ends in the middle of a line`)
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ArchiveError('damaged', `${path} is not UTF-8`)
  }
}

function revisionOf(text: string): number {
  const { format, revision } = fieldsOf(text)
  if (!isCount(format) || format === 0)
    throw new ArchiveError('not_ours', `${names.state} must be an object with the number of its "format"`)
  if (format > FORMAT)
    throw new ArchiveError(
      'newer',
      `the archive has format ${format}, and this version of svc reads format ${FORMAT}`,
    )
  if (!isCount(revision))
    throw new ArchiveError('damaged', `${names.state} must have "revision", a whole number from 0`)
  return revision
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

function stranger(path: string, isFirst: boolean): ArchiveError {
  const shown = JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)
  return isFirst
    ? new ArchiveError(
        'not_ours',
        `the archive is not one of svc: it begins with ${shown}, not with ${names.state}`,
      )
    : new ArchiveError('damaged', `the archive has a file that is not in its place, ${shown}`)
}
