import { type BuildOptions, build } from 'esbuild'

/** What to bundle: the path of an entry file, or its text and the folder that its imports start from. */
export type BundleEntry = string | { readonly contents: string; readonly resolveDir: string }

/** How to bundle. */
export interface BundleOptions {
  readonly minify?: boolean
  /** `esm` keeps the exports; `iife` runs by itself in a plain script. Default `esm`. */
  readonly format?: 'esm' | 'iife'
  /** Keeps the licences of what is inside, at the end: for a file that is published. */
  readonly licences?: boolean
  /** Packages by the folders that stand for them. */
  readonly alias?: Readonly<Record<string, string>>
}

const browser = {
  bundle: true,
  write: false,
  platform: 'browser',
  target: 'es2022',
  logLevel: 'silent',
  legalComments: 'none',
} as const satisfies BuildOptions

const sourceOf = (entry: BundleEntry): BuildOptions =>
  typeof entry === 'string' ? { entryPoints: [entry] } : { stdin: { ...entry, loader: 'ts' } }

/** Bundles TypeScript for a browser into one text, as an app's own build would; what is loaded on demand is inside. */
export async function bundle(
  entry: BundleEntry,
  { minify = false, format = 'esm', licences = false, alias = {} }: BundleOptions = {},
): Promise<string> {
  const legalComments = licences ? 'eof' : browser.legalComments
  const { outputFiles } = await build({
    ...sourceOf(entry),
    ...browser,
    format,
    minify,
    legalComments,
    alias,
  })
  const text = outputFiles[0]?.text
  if (text === undefined) throw new Error('esbuild made no file')
  return text
}

/** Bundles an entry as it is published for `<script type="module">`: one minified file without imports. */
export const bundleOneFile = (entry: BundleEntry): Promise<string> =>
  bundle(entry, { minify: true, licences: true })

/** The files of a bundle that is split where it loads on demand: by their names, beside each other. */
export interface BundleParts {
  /** What is loaded at once, the entry first. */
  readonly first: Readonly<Record<string, string>>
  /** What is loaded when it is needed. */
  readonly later: Readonly<Record<string, string>>
}

/**
 * Bundles TypeScript for a browser into modules, as an app's own build does that splits. The entry is `app.js`. Packages that
 * are `external` are not in it.
 */
export async function bundleParts(
  entry: BundleEntry,
  external: readonly string[] = [],
): Promise<BundleParts> {
  const { outputFiles, metafile } = await build({
    ...sourceOf(entry),
    ...browser,
    format: 'esm',
    minify: true,
    splitting: true,
    external: [...external],
    metafile: true,
    outdir: '/',
    entryNames: 'app',
    absWorkingDir: '/',
  })
  const at = new Set<string>()
  const load = (name: string) => {
    if (at.has(name)) return
    at.add(name)
    for (const { path, kind, external } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && !external) load(path)
  }
  load('app.js')
  const named = outputFiles.map(({ path, text }) => [path.slice(1), text] as const)
  const some = (first: boolean) => Object.fromEntries(named.filter(([name]) => at.has(name) === first))
  return { first: some(true), later: some(false) }
}
