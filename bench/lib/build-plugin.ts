import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Builds a plugin, by default that of the measurements, into `folder`, as its author would ship it: one file of JavaScript. */
export async function buildPlugin(folder: string, source = '../stdio/svc-plugin.ts'): Promise<string> {
  const outfile = join(folder, 'plugin.mjs')
  const entry = fileURLToPath(new URL(source, import.meta.url))
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  return outfile
}
