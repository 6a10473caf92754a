import { globSync, statSync } from 'node:fs'
import path from 'node:path'

/** When the youngest file below a folder was written, in ms; -Infinity where there is none. */
const youngest = (dir: string) =>
  Math.max(
    ...globSync(`${dir}/**/*`).map((file) => {
      const stat = statSync(file)
      return stat.isFile() ? stat.mtimeMs : Number.NEGATIVE_INFINITY
    }),
  )

/** Whether a package's dist is younger than its sources; the shell's page takes bridge and contract along. */
export function isBuilt(dir: string): boolean {
  const from = path.basename(dir) === 'shell' ? [dir, `${dir}/../bridge`, `${dir}/../contract`] : [dir]
  const builtAt = youngest(`${dir}/dist`)
  return from.every((one) => youngest(`${one}/src`) < builtAt)
}
