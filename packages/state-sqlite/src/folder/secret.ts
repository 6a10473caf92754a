import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { rename, syncFolder } from '@svc/node'
import { unlessAbsent } from './absent.ts'
import { FolderError } from './folder-error.ts'
import { refuseOthersFile } from './owner.ts'
import { writeSynced } from './sync.ts'

const BYTES = 32
const SECRET = /^[\w-]{32,}$/

const HINT =
  'Restore it from a backup, or make a new one, and every user signs in again: (umask 077; openssl rand -hex 32 > secret).'

/**
 * The secret of tokens that the folder keeps, readable by its owner alone; made in a new folder. Throws `FolderError`
 * `damaged` where a folder that was in use has none.
 */
export async function readSecret(dir: string, wasInUse: () => boolean): Promise<string> {
  const file = path.join(dir, 'secret')
  const handle = await unlessAbsent(open(file))
  const found = handle && (await readOwn(file, handle).finally(() => handle.close()))
  if (found === null && wasInUse())
    throw new FolderError('damaged', `${file} is missing, and the folder was in use`, HINT)
  if (found === null) return writeSecret(dir, randomBytes(BYTES).toString('base64url'))
  const secret = found.trim()
  if (SECRET.test(secret)) return secret
  throw new FolderError('damaged', `${file} does not hold a secret of at least ${BYTES} characters`, HINT)
}

async function readOwn(file: string, handle: FileHandle): Promise<string> {
  refuseOthersFile(file, await handle.stat())
  return handle.readFile('utf8')
}

/** Writes the secret, whole or not at all. */
export async function writeSecret(dir: string, secret: string): Promise<string> {
  const file = path.join(dir, 'secret')
  const beside = `${file}.new`
  await writeSynced(beside, `${secret}\n`, 'w')
  await rename(beside, file)
  await syncFolder(dir)
  return secret
}
