import { build } from 'esbuild'

/** What to bundle: the path of an entry file, or its text and the folder that its imports start from. */
export type BundleEntry = string | { readonly contents: string; readonly resolveDir: string }

/** How to bundle. */
export interface BundleOptions {
  readonly minify?: boolean
  /** `esm` keeps the exports; `iife` runs by itself in a plain script. Default `esm`. */
  readonly format?: 'esm' | 'iife'
}

/** Bundles TypeScript for a browser into one text, as an app's own build would. */
export async function bundle(
  entry: BundleEntry,
  { minify = false, format = 'esm' }: BundleOptions = {},
): Promise<string> {
  const source =
    typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: { ...entry, loader: 'ts' as const } }
  const { outputFiles } = await build({
    ...source,
    bundle: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
    legalComments: 'none',
    format,
    minify,
  })
  const text = outputFiles[0]?.text
  if (text === undefined) throw new Error('esbuild made no file')
  return text
}
