import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { limits } from '@svc/contract/limits'
import { readPersonJson, readPersonText } from '@svc/contract/person-text'
import { Failure, failure } from './failure.ts'
import { didYouMeanPath } from './near-path.ts'

const PIECE_BYTES = 65_536

/** What the system says of a path that cannot be read, in words. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EISDIR: 'is a folder; name a file in it',
  ENOTDIR: 'is not there: a part of its path is a file',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a link that leads to itself',
}

/** Reads a text that a person wrote: UTF-8, or UTF-16 with a byte order mark. Errors: `config`. */
export function readTextFile(file: string): string {
  const read = readPersonText(bytesOf(file), file)
  if ('problem' in read) throw failure('config', read.problem)
  return read.text
}

/** Reads a file with JSON that a person wrote. Errors: `config` with `hint`, and the line and column of what is wrong. */
export function readJsonFile(file: string, hint?: string): unknown {
  const read = readPersonJson(bytesOf(file, hint), file)
  if ('problem' in read) throw failure('config', read.problem, hint)
  return read.value
}

/** A pipe has no size, so each file is read up to the limit. */
function bytesOf(file: string, hint?: string): Buffer {
  const { TEXT_FILE_MAX_BYTES: max } = limits
  let opened: number | undefined
  try {
    opened = openSync(file, 'r')
    if (fstatSync(opened).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    const pieces: Buffer[] = []
    for (let total = 0; total <= max; ) {
      const piece = Buffer.alloc(PIECE_BYTES)
      const bytes = readSync(opened, piece)
      if (bytes === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, bytes))
      total += bytes
    }
    throw failure('config', `${file} has more than ${max} bytes, which is the most for such a file`)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    const near = code === 'ENOENT' ? didYouMeanPath(file) : ''
    throw failure('config', `${file} ${reasons[code] ?? `could not be read: ${message}`}${near}`, hint)
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
