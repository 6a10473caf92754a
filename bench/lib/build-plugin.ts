import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** Builds the plugin of the measurements into `folder`, as its author would ship it: one file of JavaScript. */
export async function buildPlugin(folder: string): Promise<string> {
  const outfile = join(folder, 'plugin.mjs')
  const entry = fileURLToPath(new URL('../stdio/svc-plugin.ts', import.meta.url))
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
