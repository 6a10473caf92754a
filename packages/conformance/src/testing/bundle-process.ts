import { build } from 'esbuild'
import { embedThread } from './embed-thread.ts'

/** What a bundled module of CommonJS packages finds missing in an ES module. */
const REQUIRE = `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);`

/**
 * Bundles scripts for Node, each `name` to `name.mjs` in the folder: a process that is started hundreds of times is up at
 * once when it has nothing to translate.
 */
export async function bundleProcess(
  outdir: string,
  entryPoints: Readonly<Record<string, string>>,
): Promise<void> {
  await build({
    entryPoints: { ...entryPoints },
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    outExtension: { '.js': '.mjs' },
    banner: { js: REQUIRE },
    plugins: [embedThread],
    logLevel: 'silent',
    legalComments: 'none',
  })
}
