import type { Limits } from '@svc/contract/limits'
import type { Header } from 'tar'
import { pause } from '../pause.ts'
import { badArchive, type Judge } from './judge.ts'
import { shown } from './path.ts'
import { paxRecords } from './pax.ts'
import { headerAt } from './tar-header.ts'
import { BLOCK } from './tar-layout.ts'
import { isZeroInTurns, TURN_ENTRIES } from './turns.ts'

const SET_ID = 0o6000
/** An entry may have a header of its own for a long name, and one for the rest. */
const METAS_PER_ENTRY = 2

/** What extended headers say of the entry that follows them. */
interface ExtendedHeader {
  path?: string
  size?: number
}

/**
 * Reads a tar archive from memory. Every entry is judged before its bytes are looked at, and what the
 * library would warn of and go on with refuses the whole archive.
 */
export async function readTar(bytes: Buffer, judge: Judge, limits: Limits): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  let extended: ExtendedHeader = {}
  let metas = 0
  for (let at = 0, headers = 0; ; headers += 1) {
    if (headers % TURN_ENTRIES === 0) await pause()
    const header = headerAt(bytes, at)
    if (header.nullBlock) {
      if (!(await isZeroInTurns(bytes.subarray(at)))) throw badArchive('goes on behind its end')
      if (bytes.length < at + 2 * BLOCK) throw badArchive('ends before its end blocks')
      return files
    }
    const size = sizeOf(header, limits)
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size)
    if (body.length < size) throw badArchive('ends in the middle of an entry')
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK

    const meta = metaOf(header, body, limits)
    if (meta) {
      metas += 1
      if (metas > METAS_PER_ENTRY * limits.ARCHIVE_ENTRIES_MAX)
        throw badArchive('has too many extended headers')
      extended = { ...extended, ...meta }
      continue
    }
    const name = extended.path ?? header.path ?? ''
    if (extended.size !== undefined && extended.size !== size)
      throw badArchive(`gives two sizes for ${shown(name)}`)
    extended = {}
    if (((header.mode ?? 0) & SET_ID) !== 0) throw badArchive(`has a set-uid entry, ${shown(name)}`)
    const path = name.replace(/^\.\//, '')
    if (header.type === 'File' && !header.linkpath) {
      judge.file(path, size, header.mode)
      files.set(path, body)
    } else if (header.type === 'Directory') {
      const folder = path.replace(/\/$/, '')
      if (folder !== '' && folder !== '.') judge.folder(folder)
    } else throw badArchive(`has an entry that is not a plain file or folder, ${shown(name)}`)
  }
}

function sizeOf(header: Header, limits: Limits): number {
  const { size } = header
  if (size === undefined || !Number.isSafeInteger(size)) throw badArchive('has an entry without a size')
  if (size > limits.ARCHIVE_ENTRY_MAX_BYTES)
    throw badArchive(`has an entry of ${size} bytes; at most ${limits.ARCHIVE_ENTRY_MAX_BYTES} are allowed`)
  return size
}

/** What a header about the next entry says of it; `null` for an entry. */
function metaOf(header: Header, body: Buffer, limits: Limits): ExtendedHeader | null {
  const read = readers.get(header.type)
  if (!read) return null
  if (body.length > limits.ARCHIVE_META_MAX_BYTES) throw badArchive('has an extended header that is too long')
  return read(body.toString('utf8'), body)
}

const readers: ReadonlyMap<string, (text: string, body: Buffer) => ExtendedHeader> = new Map([
  ['ExtendedHeader', (_text, body) => extendedBy(paxRecords(body))],
  [
    'GlobalExtendedHeader',
    (_text, body) => {
      if (Object.keys(extendedBy(paxRecords(body))).length > 0)
        throw badArchive('names all of its entries in one header')
      return {}
    },
  ],
  ['NextFileHasLongPath', (text) => ({ path: text.replace(/\0$/, '') })],
])

function extendedBy(records: ReadonlyMap<string, string>): ExtendedHeader {
  for (const key of records.keys())
    if (key.startsWith('GNU.sparse') || key === 'linkpath')
      throw badArchive('has an entry that is not a plain file or folder')
  const path = records.get('path')
  const size = records.get('size')
  return { ...(path !== undefined && { path }), ...(size !== undefined && { size: Number(size) }) }
}
