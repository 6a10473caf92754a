import { badArchive } from './judge.ts'
import { shown } from './path.ts'
import { BLOCK, paddingOf } from './tar-layout.ts'
import { isZero } from './turns.ts'

/** A plain file of a tar archive that is written or read as a stream. */
export interface TarFile {
  /** At most 99 bytes. */
  readonly path: string
  /** How many bytes `bytes` gives. */
  readonly size: number
  readonly bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/**
 * Writes files as a tar archive, chunk by chunk. It has no times and no owners: the same files give the same bytes.
 * Throws `RangeError` where a file does not have its size, or its path is too long.
 */
export async function* packTar(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  const { headerOf } = await import('./tar-header.ts')
  for await (const { path, size, bytes } of files) {
    yield headerOf(path, size)
    let given = 0
    for await (const chunk of bytes) {
      given += chunk.length
      yield chunk
    }
    if (given !== size) throw new RangeError(`${path} must have ${size} bytes, got ${given}`)
    if (paddingOf(size) > 0) yield new Uint8Array(paddingOf(size))
  }
  yield new Uint8Array(2 * BLOCK)
}

/**
 * Reads a tar archive of plain files chunk by chunk. Nothing is judged but its form: paths and sizes are the caller's to
 * look at, before it reads the bytes of a file. What it leaves of them is skipped. Throws `invalid_arg` for an archive
 * that is damaged, ends early, goes on behind its end, or has anything but plain files.
 */
export async function* unpackTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const source = openSource(chunks)
  try {
    const { headerAt } = await import('./tar-header.ts')
    for (;;) {
      const header = headerAt(await source.take(BLOCK), 0)
      if (header.nullBlock) return await readEnd(source)
      const { path = '', size, type } = header
      if (type !== 'File' || header.linkpath)
        throw badArchive(`has an entry that is not a plain file, ${shown(path)}`)
      if (size === undefined || !Number.isSafeInteger(size)) throw badArchive('has an entry without a size')
      const bytes = source.part(size)
      yield { path, size, bytes }
      for await (const _ of bytes);
      const padding = await source.take(paddingOf(size))
      if (padding.length < paddingOf(size)) throw badArchive('ends before its end blocks')
      if (!isZero(padding)) throw badArchive('has bytes between two entries')
    }
  } finally {
    await source.close()
  }
}

type Source = ReturnType<typeof openSource>

async function readEnd(source: Source): Promise<void> {
  let rest = await source.take(BLOCK)
  if (rest.length < BLOCK) throw badArchive('ends before its end blocks')
  for (; rest.length > 0; rest = await source.take(BLOCK))
    if (!isZero(rest)) throw badArchive('goes on behind its end')
}

/** Takes bytes from the front of a stream, however it is cut into chunks. */
function openSource(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]()
  let chunk: Uint8Array = new Uint8Array()

  /** What is there of the next `max` bytes; null at the end. */
  async function some(max: number): Promise<Uint8Array | null> {
    while (chunk.length === 0) {
      const next = await iterator.next()
      if (next.done) return null
      chunk = next.value
    }
    const piece = chunk.subarray(0, max)
    chunk = chunk.subarray(max)
    return piece
  }

  async function* exactly(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0; ) {
      const piece = await some(left)
      if (!piece) throw badArchive('ends in the middle of an entry')
      left -= piece.length
      yield piece
    }
  }

  return {
    /** The next `size` bytes; fewer at the end. */
    async take(size: number): Promise<Buffer> {
      const pieces: Uint8Array[] = []
      for (let left = size; left > 0; ) {
        const piece = await some(left)
        if (!piece) break
        left -= piece.length
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    },
    /** The next `size` bytes in pieces. Reading goes on where the reader before stopped. */
    part(size: number): AsyncIterable<Uint8Array> {
      const rest = exactly(size)
      return { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) }
    },
    async close(): Promise<void> {
      await iterator.return?.()
    },
  }
}
