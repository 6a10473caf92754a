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

/** The packages of which a dist has parts, beside its own: in the shell's page, and in the one file of the SDK. */
const within = new Map([
  ['shell', ['bridge', 'contract']],
  ['sdk', ['contract']],
])

/** Whether a package's dist is younger than its sources. */
export function isBuilt(dir: string): boolean {
  const from = [dir, ...(within.get(path.basename(dir)) ?? []).map((name) => `${dir}/../${name}`)]
  const builtAt = youngest(`${dir}/dist`)
  return from.every((one) => youngest(`${one}/src`) < builtAt)
}
