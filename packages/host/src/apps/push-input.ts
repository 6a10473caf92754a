import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import {
  type Limits,
  type Manifest,
  manifestSchema,
  Refusal,
  refuse,
  wrongArg,
  wrongArgs,
} from '@svc/contract'
import { canonicalJson } from '@svc/contract/digest'
import { readPersonJson, readPersonText } from '@svc/contract/person-text'
import * as z from '@svc/contract/zod'
import { type Judge, openJudge, pathProblem, readArchive, shown, whyLeftOut } from '@svc/node/archive'
import { OPERATOR } from '../catalog/records.ts'
import { readObject } from '../kernel/body.ts'
import { readObjectInThread } from '../kernel/threads/read-in-thread.ts'
import type { Push } from './apps.ts'
import type { AppNeeds, AppServices } from './services.ts'

const wrapped = z.object({ manifest: manifestSchema })

/** Reads a manifest as its author wrote it. Errors: `invalid_arg` with the path, the rule and the value. */
export function readManifest(input: unknown, limits: Limits): Manifest {
  const body = { manifest: input }
  const parsed = wrapped.safeParse(body)
  if (!parsed.success) throw wrongArgs(parsed.error, body)
  const { manifest } = parsed.data
  const { entry } = manifest.ui.bundle
  const problem = pathProblem(entry, limits)
  if (problem !== null) throw wrongArg('manifest.ui.bundle.entry', `${problem}, got ${JSON.stringify(entry)}`)
  const bytes = Buffer.byteLength(canonicalJson(manifest))
  if (bytes > limits.MANIFEST_MAX_BYTES)
    throw wrongArg('manifest', `must have at most ${limits.MANIFEST_MAX_BYTES} bytes, got ${bytes}`)
  return manifest
}

/** The name of the manifest at the root of an archive or folder; it is not a file of the bundle. */
export const MANIFEST_NAME = 'manifest.json'

type Parts = Pick<AppServices, 'limits' | 'threads'>

/**
 * Reads an archive of a user with `manifest.json` at its root into a push. Errors: `invalid_arg` where a rule is broken.
 */
export async function unpackPush(
  type: string,
  bytes: Buffer,
  services: Parts,
  userId: string,
): Promise<Push> {
  const { files } = await readArchive(type, bytes, services.limits)
  return pushOf(files, services, userId)
}

/** Takes the manifest out of the files of an archive or folder. Errors: `invalid_arg`. */
async function pushOf(all: ReadonlyMap<string, Uint8Array>, services: Parts, owner: string): Promise<Push> {
  const files = new Map(all)
  const bytes = files.get(MANIFEST_NAME)
  if (!bytes) throw wrongArg(MANIFEST_NAME, `must be at the root, beside the files of the bundle`)
  files.delete(MANIFEST_NAME)
  const { ROUTE_BODY_MAX_BYTES: max } = services.limits
  if (bytes.length > max) throw wrongArg(MANIFEST_NAME, `must have at most ${max} bytes, got ${bytes.length}`)
  return {
    manifest: await parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), services, owner),
    files,
  }
}

/** Reads it as a person wrote it, and parses it as the JSON body of a route is parsed: a long one in another thread. */
async function parse(written: Buffer, { limits, threads }: Parts, owner: string): Promise<unknown> {
  const read = readPersonText(written, MANIFEST_NAME)
  if ('problem' in read) throw refuse('invalid_arg', read.problem)
  const bytes = Buffer.from(read.text)
  try {
    if (bytes.length <= limits.BODY_APART_BYTES) return readObject(bytes, limits)
    return await readObjectInThread(threads, owner, bytes, limits)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const json = bytes.length > limits.BODY_APART_BYTES ? null : readPersonJson(read.text, MANIFEST_NAME)
    throw json && 'problem' in json
      ? refuse('invalid_arg', json.problem)
      : refuse(error.code, `${MANIFEST_NAME}: ${error.message}`, error.details)
  }
}

/**
 * Reads the folder of a built bundle, `manifest.json` in it, into a push. Links to files inside the folder are
 * followed, any other link and anything but files and folders is refused. What `whyLeftOut` names is left out. Errors:
 * `invalid_arg`, or what the file system says.
 */
export async function readFolder(dir: string, services: Pick<AppNeeds, 'limits' | 'threads'>): Promise<Push> {
  const root = await realpath(dir)
  const files = new Map<string, Uint8Array>()
  const judge = openJudge(services.limits)
  await walk(root, '', { root, files, judge })
  await judge.end()
  return pushOf(files, services, OPERATOR)
}

interface Walk {
  readonly root: string
  readonly files: Map<string, Uint8Array>
  readonly judge: Judge
}

async function walk(dir: string, prefix: string, at: Walk): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = prefix + entry.name
    if (whyLeftOut(path) !== null) continue
    const full = join(dir, entry.name)
    if (entry.isDirectory()) {
      at.judge.folder(path)
      await walk(full, `${path}/`, at)
    } else {
      const real = await realpath(full)
      const found = await stat(real)
      if (!real.startsWith(at.root + sep) || !found.isFile())
        throw refuse('invalid_arg', `${shown(path)} must be a plain file inside the folder of the app`)
      at.judge.file(path, found.size)
      at.files.set(path, await readFile(real))
    }
  }
}
