import { createGunzip } from 'node:zlib'
import { refuse } from '@svc/contract/errors'
import type { Limits } from '@svc/contract/limits'
import { badArchive, type Judge, openJudge } from './judge.ts'
import { UNPACKED_BYTES, unpackInTurns } from './turns.ts'

/** tar pads an archive to this many bytes, which says nothing about a bomb. */
const TAR_RECORD_BYTES = 10_240

// The libraries of archives are loaded when the first one comes.
async function readTar(bytes: Buffer, judge: Judge, limits: Limits) {
  return (await import('./tar.ts')).readTar(bytes, judge, limits)
}

async function readZip(bytes: Buffer, judge: Judge, limits: Limits) {
  return (await import('./zip.ts')).readZip(bytes, judge, limits)
}

async function readTarGz(bytes: Buffer, judge: Judge, limits: Limits) {
  const most = limits.ARCHIVE_RATIO_MAX * bytes.length + TAR_RECORD_BYTES
  const max = Math.min(most, limits.ARCHIVE_BYTES_MAX)
  const gunzip = createGunzip({ chunkSize: UNPACKED_BYTES })
  const tar = await unpackInTurns(gunzip, bytes, max).catch(() => {
    throw badArchive('is not gzip, or is damaged')
  })
  if (!tar) throw badArchive(`unpacks to more than ${max} bytes`)
  return readTar(tar, judge, limits)
}

type ArchiveReader = (bytes: Buffer, judge: Judge, limits: Limits) => Promise<ReadonlyMap<string, Uint8Array>>

/** How an archive of each media type is read. */
const readers: ReadonlyMap<string, ArchiveReader> = new Map<string, ArchiveReader>([
  ['application/gzip', readTarGz],
  ['application/x-tar', readTar],
  ['application/zip', readZip],
])

/** The media types of archives. */
export const archiveTypes: readonly string[] = [...readers.keys()]

/** What an archive holds. */
export interface ArchiveContent {
  /** Bytes by path. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The paths of those that the archive marks as programs. */
  readonly executables: ReadonlySet<string>
}

/**
 * Reads an archive. Nothing touches a disk. Errors: `invalid_arg` for any entry that breaks a rule of the archives
 * ruling; the whole archive is refused.
 */
export async function readArchive(type: string, bytes: Buffer, limits: Limits): Promise<ArchiveContent> {
  const read = readers.get(type)
  if (!read) throw refuse('invalid_arg', `an archive must be one of ${archiveTypes.join(', ')}, got ${type}`)
  const judge = openJudge(limits)
  const files = await read(bytes, judge, limits)
  await judge.end()
  if (files.size === 0) throw badArchive('has no files')
  return { files, executables: judge.executables }
}
