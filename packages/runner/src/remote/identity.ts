import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { linkPrivateFile, readPrivateFile, replaceFile } from './private-file.ts'

/** What an enrolled machine shows its host: its key, which never leaves it, and the token that is good next. */
export interface Identity {
  /** The public key, as a link has it. */
  readonly key: string
  /** Signs a text; returns base64url. */
  sign(text: string): string
  /** The token to show. */
  token(): Promise<string>
  /** Stores the next token; resolves when a crash can no longer lose it. Rejects where the disk does not take it. */
  keep(token: string, epoch: number): Promise<void>
}

/** Where an identity is kept. */
export interface IdentityPlace {
  /** `null`: in memory, so that the enrolment ends with the process. */
  readonly dir: string | null
  /** The token that enrolling it answered. */
  readonly token: string
}

const KEY = 'key.pem'
const TOKEN_FILE = /^token-(\d{1,15})$/
const TOKEN = /^svcr_[\w-]+$/

/** Returns the refusal of a file of the state that others can read. */
export const openState = (file: string): Error =>
  new Error(`others can read ${file} and could act as this machine: enrol it again`)

/** Returns the folder of an enrolment, named by a digest of the token that enrolling answered. */
export const enrolmentFolder = (dir: string, token: string): string =>
  path.join(dir, 'machines', createHash('sha256').update(token).digest('hex').slice(0, 32))

/**
 * Opens the identity of an enrolment, and makes its key at the first start. Each enrolment has a folder and a key of its
 * own, so that what one host is shown is worth nothing at another. Throws where the folder cannot be used, or where others can
 * read the key.
 */
export async function openIdentity({ dir, token: first }: IdentityPlace): Promise<Identity> {
  if (dir === null) return inMemory(first)
  const folder = enrolmentFolder(dir, first)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const signer = signerOf(await keyIn(folder))

  return {
    ...signer,
    async token() {
      const [epoch] = await epochsIn(folder)
      return epoch === undefined ? first : tokenIn(path.join(folder, `token-${epoch}`))
    },
    /** One file for each epoch: a process that comes late never replaces what a later link stored. */
    async keep(token, epoch) {
      await replaceFile(path.join(folder, `token-${epoch}`), `${token}\n`)
      const [newest = epoch, ...older] = await epochsIn(folder)
      for (const one of older) if (one < newest) await rm(path.join(folder, `token-${one}`), { force: true })
    },
  }
}

function inMemory(first: string): Identity {
  let token = first
  return {
    ...signerOf(generateKeyPairSync('ed25519').privateKey),
    token: async () => token,
    async keep(next) {
      token = next
    },
  }
}

function signerOf(key: KeyObject): Pick<Identity, 'key' | 'sign'> {
  return {
    key: createPublicKey(key).export({ format: 'jwk' }).x ?? '',
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

async function keyIn(folder: string): Promise<KeyObject> {
  const file = path.join(folder, KEY)
  const { privateKey } = generateKeyPairSync('ed25519')
  if ((await readPrivateFile(file, openState)) === null)
    await linkPrivateFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const text = await readPrivateFile(file, openState)
  try {
    return createPrivateKey(text ?? '')
  } catch {
    throw new Error(`${file} holds no key`)
  }
}

async function tokenIn(file: string): Promise<string> {
  const token = (await readPrivateFile(file, openState))?.trim() ?? ''
  if (TOKEN.test(token)) return token
  throw new Error(`${file} holds no token`)
}

/** The newest first. */
async function epochsIn(folder: string): Promise<number[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isFile())
  const epochs = files.flatMap(({ name }) => TOKEN_FILE.exec(name)?.[1] ?? []).map(Number)
  return epochs.sort((a, b) => b - a)
}
