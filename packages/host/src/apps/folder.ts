import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { refuse } from '@svc/contract'
import { type Judge, openJudge, shown } from '@svc/node/archive'
import { OPERATOR } from '../catalog/records.ts'
import type { Push } from './apps.ts'
import type { AppParts } from './parts.ts'
import { pushOf } from './unpack.ts'

/**
 * Reads the folder of a built bundle, `manifest.json` in it, into a push. Links to files inside the folder are
 * followed, any other link and anything but files and folders is refused. Errors: `invalid_arg`, or what the
 * file system says.
 */
export async function readFolder(dir: string, services: Pick<AppParts, 'limits' | 'threads'>): Promise<Push> {
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
