/// <reference path="./yauzl.d.ts" />
import { createInflateRaw, inflateRawSync } from 'node:zlib'
import { Refusal } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { type Entry, fromBufferPromise, type LocalFileHeader, type ZipFile } from 'yauzl'
import { pause } from '../pause.ts'
import { badArchive, type Judge } from './judge.ts'
import { shown } from './path.ts'
import { crc32InTurns, TURN_BYTES, TURN_ENTRIES, UNPACKED_BYTES, unpackInTurns } from './turns.ts'

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x1
/** Sizes and checksum stand behind the data, not in the local header. */
const DESCRIBED_LATER = 0x8
/** The longest such descriptor that is not a zip64 one. */
const DESCRIPTOR_BYTES = 16
const END_RECORD_BYTES = 22
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_LOCATOR = 0x07064b50
/** The least that zlib unpacks into at once. */
const CHUNK_MIN_BYTES = 64

/** Unix file types by the top bits of a mode; 0 where the archive was made without modes. */
const plainTypes: ReadonlyMap<number, 'file' | 'folder' | 'either'> = new Map([
  [0, 'either'],
  [0o100000, 'file'],
  [0o040000, 'folder'],
])
const TYPE_BITS = 0o170000
const SET_ID = 0o6000
const MADE_ON_UNIX = 3

interface PlacedEntry {
  readonly path: string
  readonly entry: Entry
  readonly local: LocalFileHeader
}

/**
 * Reads a zip archive from memory: the directory is judged whole, and must agree with the local headers,
 * before anything is inflated (docs/decisions/0014-archives.md).
 */
export async function readZip(bytes: Buffer, judge: Judge, limits: Limits): Promise<Map<string, Uint8Array>> {
  try {
    const zip = await fromBufferPromise(bytes, { strictFileNames: true })
    const placed = await list(zip, judge, limits, bytes.length)
    judgeTiling(bytes, zip, placed)
    const files = new Map<string, Uint8Array>()
    let sinceTurn = 0
    for (const [at, file] of placed.entries()) {
      sinceTurn += Math.max(file.entry.compressedSize, file.entry.uncompressedSize)
      if (at % TURN_ENTRIES === 0 || sinceTurn > TURN_BYTES) {
        sinceTurn = 0
        await pause()
      }
      if (!file.path.endsWith('/')) files.set(file.path, await extract(bytes, file))
    }
    return files
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The library's sentence may hold a name of 64 KB.
    throw badArchive(
      `cannot be read as zip: ${String(error instanceof Error ? error.message : error).slice(0, 200)}`,
    )
  }
}

async function list(
  zip: ZipFile,
  judge: Judge,
  limits: Limits,
  archiveBytes: number,
): Promise<PlacedEntry[]> {
  if (zip.entryCount > limits.ARCHIVE_ENTRIES_MAX)
    throw badArchive(`has ${zip.entryCount} entries; at most ${limits.ARCHIVE_ENTRIES_MAX} are allowed`)
  const placed: PlacedEntry[] = []
  let total = 0
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName
    judgeKind(entry)
    if (path.endsWith('/')) judge.folder(path.slice(0, -1))
    else judge.file(path, entry.uncompressedSize, modeOf(entry))
    total += entry.uncompressedSize
    if (total > limits.ARCHIVE_RATIO_MAX * archiveBytes)
      throw badArchive(`unpacks to more than ${limits.ARCHIVE_RATIO_MAX} times its size`)
    const local = await zip.readLocalFileHeaderPromise(entry)
    if (!agree(entry, local)) throw badArchive(`says two things about ${shown(path)}`)
    placed.push({ path, entry, local })
    if (placed.length % TURN_ENTRIES === 0) await pause()
  }
  return placed
}

const modeOf = ({ versionMadeBy, externalFileAttributes }: Entry) =>
  versionMadeBy >>> 8 === MADE_ON_UNIX ? externalFileAttributes >>> 16 : 0

function judgeKind(entry: Entry): void {
  const { fileName } = entry
  const mode = modeOf(entry)
  const type = plainTypes.get(mode & TYPE_BITS)
  const named = fileName.endsWith('/') ? 'folder' : 'file'
  if (type === undefined || (type !== 'either' && type !== named))
    throw badArchive(`has an entry that is not a plain file or folder, ${shown(fileName)}`)
  if ((mode & SET_ID) !== 0) throw badArchive(`has a set-uid entry, ${shown(fileName)}`)
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
    throw badArchive(`has an encrypted entry, ${shown(fileName)}`)
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw badArchive(`has an entry packed by method ${entry.compressionMethod}, ${shown(fileName)}`)
}

/** Whether the central directory and the local header say the same. */
function agree(entry: Entry, local: LocalFileHeader): boolean {
  const later = (local.generalPurposeBitFlag & DESCRIBED_LATER) !== 0
  const same = (name: 'crc32' | 'compressedSize' | 'uncompressedSize') =>
    entry[name] === local[name] || (later && local[name] === 0)
  return (
    entry.fileNameRaw.equals(local.fileName) &&
    entry.generalPurposeBitFlag === local.generalPurposeBitFlag &&
    entry.compressionMethod === local.compressionMethod &&
    same('crc32') &&
    same('compressedSize') &&
    same('uncompressedSize')
  )
}

/**
 * Entries must follow one another from the first byte to the directory, and the directory end the archive:
 * then nothing overlaps, nothing hides between, and there is one directory only.
 */
function judgeTiling(bytes: Buffer, zip: ZipFile, placed: readonly PlacedEntry[]): void {
  const end = bytes.length - END_RECORD_BYTES - zip.comment.length
  if (end >= ZIP64_LOCATOR_BYTES && bytes.readUInt32LE(end - ZIP64_LOCATOR_BYTES) === ZIP64_LOCATOR)
    throw badArchive('is a zip64 archive')
  const directorySize = bytes.readUInt32LE(end + 12)
  const directory = bytes.readUInt32LE(end + 16)
  if (directory + directorySize !== end) throw badArchive('has something between its directory and its end')
  let at = 0
  let room = 0
  for (const { entry, local } of placed.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  )) {
    const start = entry.relativeOffsetOfLocalHeader
    if (start < at || start > at + room) throw badArchive('has entries that overlap or leave gaps')
    at = local.fileDataStart + entry.compressedSize
    room = (local.generalPurposeBitFlag & DESCRIBED_LATER) !== 0 ? DESCRIPTOR_BYTES : 0
  }
  if (directory < at || directory > at + room) throw badArchive('has entries that overlap or leave gaps')
}

async function extract(bytes: Buffer, { path, entry, local }: PlacedEntry): Promise<Uint8Array> {
  const packed = bytes.subarray(local.fileDataStart, local.fileDataStart + entry.compressedSize)
  const size = entry.uncompressedSize
  const data = entry.compressionMethod === STORED ? packed : await inflate(packed, size)
  if (data?.length !== size || (await crc32InTurns(data)) !== entry.crc32)
    throw badArchive(`has a damaged entry, ${shown(path)}`)
  return data
}

/** What is packed, if it is no more than `size`. A stream costs more than a small entry, so those do without one. */
async function inflate(packed: Buffer, size: number): Promise<Buffer | null> {
  if (size > UNPACKED_BYTES || packed.length > UNPACKED_BYTES)
    return unpackInTurns(createInflateRaw({ chunkSize: UNPACKED_BYTES }), packed, size)
  try {
    return inflateRawSync(packed, {
      chunkSize: Math.max(size, CHUNK_MIN_BYTES),
      maxOutputLength: Math.max(size, 1),
    })
  } catch {
    return null
  }
}
