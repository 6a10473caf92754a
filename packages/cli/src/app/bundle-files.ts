import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { limits, Refusal } from '@svc/contract'
import { readPersonJson } from '@svc/contract/person-text'
import { openJudge, whyLeftOut } from '@svc/node/archive'
import { APP_FILE } from './app-file.ts'

/** A built bundle as it is pushed. */
export interface Bundle {
  /** What `manifest.json` holds, or why there is none. */
  readonly manifest: { readonly value: unknown } | { readonly problem: string }
  /** The other files, by their path in the bundle. */
  readonly files: ReadonlyMap<string, Buffer>
  /** What is in the folder and is not pushed: why, and which files and folders. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>
  /** What breaks the rules of bundles: paths, links, counts, sizes (docs/decisions/0014-archives.md). */
  readonly problems: readonly string[]
}

const MANIFEST = 'manifest.json'
const SOURCE_MAP = 'a source map shows the sources to everybody; --maps keeps it'

/** Reads a folder as the host would: plain files in it, and links to such. `maps`: source maps too. */
export async function readBundle(dir: string, { maps = false } = {}): Promise<Bundle> {
  const root = await realpath(dir)
  const judge = openJudge(limits)
  const files = new Map<string, Buffer>()
  const problems: string[] = []
  const leftOut = new Map<string, string[]>()
  const judged = (rule: () => void) => {
    try {
      rule()
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      problems.push(error.message)
      return false
    }
  }

  const leave = (name: string, why: string) => leftOut.set(why, [...(leftOut.get(why) ?? []), name])

  async function walk(folder: string, prefix: string): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const name = prefix + entry.name
      const full = path.join(folder, entry.name)
      if (name === APP_FILE) continue
      const why = whyLeftOut(name)
      if (why !== null) {
        leave(entry.isDirectory() ? `${name}/` : name, why)
        continue
      }
      if (entry.isDirectory()) {
        if (judged(() => judge.folder(name))) await walk(full, `${name}/`)
        continue
      }
      const real = await realpath(full).catch(() => null)
      const found = real === null ? null : await stat(real)
      if (!real?.startsWith(root + path.sep) || !found?.isFile())
        problems.push(`${name} must be a plain file inside the folder of the app`)
      else if (judged(() => judge.file(name, found.size))) {
        const bytes = await readFile(real)
        if (!maps && name.endsWith('.map') && bytes.includes('"mappings"')) leave(name, SOURCE_MAP)
        else files.set(name, bytes)
      }
    }
  }

  await walk(root, '')
  await judge.end().catch((error: unknown) =>
    judged(() => {
      throw error
    }),
  )
  const manifest = parse(files.get(MANIFEST))
  files.delete(MANIFEST)
  return { manifest, files, leftOut, problems }
}

function parse(bytes: Buffer | undefined): Bundle['manifest'] {
  if (!bytes) return { problem: `there is no ${MANIFEST}` }
  return readPersonJson(bytes, MANIFEST)
}
