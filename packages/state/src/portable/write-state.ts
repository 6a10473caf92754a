import { createHash } from 'node:crypto'
import { packTar, type TarFile } from '@svc/node/archive'
import { ArchiveError } from './archive-error.ts'
import { FORMAT, LINE_BYTES, names, PART_BYTES, sumLine } from './entries.ts'
import { inOrder } from './in-order.ts'
import { isLine, type LinePiece, lineOf } from './lines.ts'
import type { BlobPiece, Pieces } from './piece.ts'

/**
 * Writes a state as an archive, chunk by chunk: a tar with the records and journals as lines of JSON, and the blobs. The
 * same state gives the same bytes. Throws `ArchiveError` `damaged` where the pieces are not in order, or a blob is not
 * what its digest says.
 */
export const writeState = (pieces: Pieces): AsyncIterable<Uint8Array> => packTar(filesOf(inOrder(pieces)))

async function* filesOf(pieces: Pieces): AsyncGenerator<TarFile> {
  const part = openPart()
  let sums = ''
  function summed(file: Part): TarFile {
    const bytes = Buffer.from(file.text)
    sums += sumLine(createHash('sha256').update(bytes).digest('hex'), file.path)
    return { path: file.path, size: bytes.length, bytes: [bytes] }
  }
  for await (const piece of pieces) {
    const ready = isLine(piece) ? part.add(piece) : part.end()
    if (ready) yield summed(ready)
    if (piece.kind === 'state')
      yield summed({
        path: names.state,
        text: `${JSON.stringify({ format: FORMAT, revision: piece.revision })}\n`,
      })
    if (piece.kind === 'blob')
      yield { path: names.blob(piece.digest), size: piece.size, bytes: checkedBytes(piece) }
    if (piece.kind === 'secret') yield summed({ path: names.secret, text: `${piece.secret}\n` })
  }
  const bytes = Buffer.from(sums)
  yield { path: names.sums, size: bytes.length, bytes: [bytes] }
}

/** A part that is complete. */
interface Part {
  readonly path: string
  readonly text: string
}

/** Gathers lines until they fill a part. */
function openPart() {
  let folder: 'records' | 'journals' = 'records'
  let number = 0
  let lines: string[] = []
  let size = 0

  function end(): Part | null {
    if (lines.length === 0) return null
    number += 1
    const ended = { path: names.part(folder, number), text: lines.join('') }
    lines = []
    size = 0
    return ended
  }

  return {
    /** Adds a line; gives the part before it where that is complete. */
    add(piece: LinePiece): Part | null {
      const line = `${lineOf(piece)}\n`
      const bytes = Buffer.byteLength(line)
      if (bytes > LINE_BYTES)
        throw new ArchiveError(
          'damaged',
          `a ${piece.kind} has ${bytes} bytes; at most ${LINE_BYTES} are allowed`,
          {
            hint: 'Archives have no place for it.',
          },
        )
      const own = piece.kind === 'record' ? 'records' : 'journals'
      const ended = own !== folder || size + bytes > PART_BYTES ? end() : null
      if (own !== folder) {
        folder = own
        number = 0
      }
      lines.push(line)
      size += bytes
      return ended
    },
    end,
  }
}

/** Passes the bytes of a blob on. Throws where they are not those of its digest. */
export async function* checkedBytes({ digest, bytes }: BlobPiece): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== digest)
    throw new ArchiveError('damaged', `the blob ${digest} is not what was written: its digest differs`)
}
