import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** The oldest Node that the packages hold for (`engines`), beside the one that the workspace brings. */
const OLD_NODE = '22.19.0'

/** Returns the folder of an older Node; installed by npm once, and kept with the packages of the repository. */
export async function oldNodeFolder(root: string): Promise<string> {
  const home = path.join(root, `node_modules/.svc-node-${OLD_NODE}`)
  const bin = path.join(home, 'node_modules/.bin')
  if (!existsSync(path.join(bin, 'node')))
    await promisify(execFile)('npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--prefix',
      home,
      `node@${OLD_NODE}`,
    ])
  return bin
}
