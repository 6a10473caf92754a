import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { isDeeper, type Limits, refuse } from '@svc/contract'
import type { Push } from '../apps.ts'
import { badArchive, type Judge, openJudge } from './judge.ts'
import { readTar } from './tar.ts'
import { readZip } from './zip.ts'

/** The name of the manifest at the root of an archive or folder; it is not a file of the bundle. */
export const MANIFEST_NAME = 'manifest.json'

/** tar pads an archive to this many bytes, which says nothing about a bomb. */
const TAR_RECORD_BYTES = 10_240

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

async function readTarGz(bytes: Buffer, judge: Judge, limits: Limits) {
  const most = limits.ARCHIVE_RATIO_MAX * bytes.length + TAR_RECORD_BYTES
  const maxOutputLength = Math.min(most, limits.ARCHIVE_BYTES_MAX)
  const tar = await unzip(bytes, { maxOutputLength }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_BUFFER_TOO_LARGE')
      throw badArchive(`unpacks to more than ${maxOutputLength} bytes`)
    throw badArchive('is not gzip, or is damaged')
  })
  return readTar(tar, judge, limits)
}

type Read = (
  bytes: Buffer,
  judge: Judge,
  limits: Limits,
) => ReadonlyMap<string, Uint8Array> | Promise<ReadonlyMap<string, Uint8Array>>

/** How an archive of each media type is read. */
const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['application/gzip', readTarGz],
  ['application/x-tar', readTar],
  ['application/zip', readZip],
])

/** The media types of archives that a push may have. */
export const archiveTypes: readonly string[] = [...readers.keys()]

/**
 * Reads an archive with `manifest.json` at its root into a push. Nothing touches a disk. Errors: `invalid_arg`
 * for any entry that breaks a rule of the archives ruling; the whole archive is refused.
 */
export async function readArchive(type: string, bytes: Buffer, limits: Limits): Promise<Push> {
  const read = readers.get(type)
  if (!read) throw refuse('invalid_arg', `an archive must be one of ${archiveTypes.join(', ')}, got ${type}`)
  return pushOf(await read(bytes, openJudge(limits), limits), limits)
}

/** Takes the manifest out of the files of an archive or folder. Errors: `invalid_arg`. */
export function pushOf(all: ReadonlyMap<string, Uint8Array>, limits: Limits): Push {
  const files = new Map(all)
  const bytes = files.get(MANIFEST_NAME)
  if (!bytes)
    throw refuse('invalid_arg', `${MANIFEST_NAME} must stand at the root beside the files of the bundle`)
  files.delete(MANIFEST_NAME)
  if (!isUtf8(bytes)) throw refuse('invalid_arg', `${MANIFEST_NAME} must be UTF-8`)
  if (isDeeper(bytes, limits.BODY_DEPTH_MAX))
    throw refuse('invalid_arg', `${MANIFEST_NAME} must nest at most ${limits.BODY_DEPTH_MAX} levels deep`)
  try {
    return { manifest: JSON.parse(Buffer.from(bytes).toString('utf8')), files }
  } catch {
    throw refuse('invalid_arg', `${MANIFEST_NAME} must be JSON`)
  }
}
