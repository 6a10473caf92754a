import { readFileSync } from 'node:fs'

/** How a package is built for others: where it runs and which module systems it offers. */
export interface Library {
  readonly dir: string
  readonly platform: 'neutral' | 'node'
  readonly formats: readonly ('esm' | 'cjs')[]
  /** Entries for tests with Vitest, which nobody can require. */
  readonly vitest?: readonly string[]
  /** The built files that do something when they are imported, styles too. Of all others, bundlers drop what is not used. */
  readonly effects?: readonly string[]
  /** The packages of others whose code is in its files, with their licences beside it. */
  readonly inside?: readonly string[]
  /** The name of one more entry: all of `.` in one minified file without imports, for `<script type="module">`. */
  readonly oneFile?: string
}

const both = ['esm', 'cjs'] as const

/** The packages that others install. The command line is no library: nobody requires it. */
export const libraries: readonly Library[] = [
  { dir: 'packages/contract', platform: 'neutral', formats: both, inside: ['zod'] },
  {
    dir: 'packages/sdk',
    platform: 'neutral',
    formats: both,
    oneFile: 'svc.js',
    effects: ['./dist/theme.css'],
  },
  { dir: 'packages/bridge', platform: 'neutral', formats: both },
  { dir: 'packages/react', platform: 'neutral', formats: both },
  { dir: 'packages/vue', platform: 'neutral', formats: both },
  { dir: 'packages/svelte', platform: 'neutral', formats: ['esm'] },
  { dir: 'packages/plugin', platform: 'node', formats: both },
  {
    dir: 'packages/mcp',
    platform: 'node',
    formats: ['esm'],
    effects: ['./dist/main.js', './dist/run-server-*.js'],
  },
  { dir: 'packages/node', platform: 'node', formats: both },
  { dir: 'packages/state', platform: 'node', formats: both, vitest: ['./testing'] },
  { dir: 'packages/state-sqlite', platform: 'node', formats: both },
  { dir: 'packages/state-cluster', platform: 'node', formats: both },
  { dir: 'packages/runner', platform: 'node', formats: both },
  { dir: 'packages/host', platform: 'node', formats: both },
  { dir: 'packages/testing', platform: 'node', formats: ['esm'] },
  {
    dir: 'packages/cli',
    platform: 'node',
    formats: ['esm'],
    effects: ['./dist/main.js', './dist/run-command-*.js'],
  },
  {
    dir: 'packages/create-svc',
    platform: 'node',
    formats: ['esm'],
    effects: ['./dist/main.js', './dist/run-create-*.js'],
  },
]

/** The folders of all that is published: the libraries, and the built page of the shell, which is no library. */
export const published: readonly string[] = [...libraries.map(({ dir }) => dir), 'packages/shell']

/** The parts of a package.json that builds read and write. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly files?: readonly string[]
  readonly engines?: { readonly node: string }
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
}

/** Reads the package.json of a library. */
export const readManifest = (dir: string): Manifest =>
  JSON.parse(readFileSync(`${dir}/package.json`, 'utf8')) as Manifest

/** Whether an entry is a style sheet, which is copied as it is. */
export const isStyle = (source: string) => source.endsWith('.css')

/** `./src/states/index.ts` → `states/index`: the entry's name under dist. */
export const entryName = (source: string) => source.replace(/^\.\/src\//, '').replace(/\.ts$/, '')

/** What is in the packed package.json instead of `exports` and `bin`: dist in the place of src. */
export function publishConfig(
  { exports, bin }: Manifest,
  { platform, formats, vitest, effects, oneFile }: Library,
): Record<string, unknown> {
  const target = (source: string, entry: string) => {
    const file = `./dist/${entryName(source)}`
    if (isStyle(source)) return file
    const esm = { types: `${file}.d.ts`, default: `${file}.js` }
    const cjs = { types: `${file}.d.cts`, default: `${file}.cjs` }
    return formats.includes('cjs') && !vitest?.includes(entry) ? { import: esm, require: cjs } : esm
  }
  const map = <T>(table: Readonly<Record<string, string>>, to: (source: string, name: string) => T) =>
    Object.fromEntries(Object.entries(table).map(([name, source]) => [name, to(source, name)]))
  return {
    access: 'public',
    sideEffects: effects ?? false,
    ...(platform === 'neutral' && fieldsBeside(exports, formats, oneFile)),
    exports: {
      ...map(exports, target),
      ...(oneFile && {
        [`./${oneFile}`]: { types: './dist/index.d.ts', default: `./dist/${oneFile}` },
      }),
    },
    ...(bin && { bin: map(bin, (source) => `./dist/${entryName(source)}.js`) }),
  }
}

/**
 * What is beside `exports` for who does not read it: Parcel 2 as it is installed reads `main`, `module` and the paths of
 * `alias`, TypeScript's `moduleResolution: "node10"` reads `types` and `typesVersions`
 * (docs/decisions/0205-measured-as-published.md).
 */
function fieldsBeside(
  exports: Manifest['exports'],
  formats: Library['formats'],
  oneFile: string | undefined,
): Record<string, unknown> {
  const file = (source: string, ending: string) => `./dist/${entryName(source)}${ending}`
  const main = exports['.'] ?? ''
  const entries = Object.entries(exports).filter(([name]) => name !== '.')
  const scripts = entries.filter(([, source]) => !isStyle(source))
  return {
    main: file(main, formats.includes('cjs') ? '.cjs' : '.js'),
    module: file(main, '.js'),
    types: file(main, '.d.ts'),
    ...(entries.length > 0 && {
      alias: {
        ...Object.fromEntries(
          entries.map(([name, source]) => [name, file(source, isStyle(source) ? '' : '.js')]),
        ),
        ...(oneFile && { [`./${oneFile}`]: `./dist/${oneFile}` }),
      },
      typesVersions: {
        '*': {
          ...Object.fromEntries(
            scripts.map(([name, source]) => [name.slice('./'.length), [file(source, '.d.ts')]]),
          ),
          ...(oneFile && { [oneFile]: [file(main, '.d.ts')] }),
        },
      },
    }),
  }
}

/** Names of what only developing needs: scripts and tools are not packed. */
const notPacked = new Set(['scripts', 'devDependencies', 'publishConfig'])

/**
 * The package.json that others install: `publishConfig` in place of what it replaces, and versions in place of
 * `workspace:*`. A package without publishConfig is a built page, which brings what it depends on inside.
 */
export function packedManifest(
  manifest: Manifest,
  versionOf: (name: string) => string,
): Record<string, unknown> {
  const { access, ...replaced } = manifest.publishConfig ?? {}
  const versioned = (ranges: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(ranges).map(([name, range]) => [
        name,
        range.startsWith('workspace:') ? versionOf(name) : range,
      ]),
    )
  const { dependencies, peerDependencies } = manifest
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !notPacked.has(key))),
    ...replaced,
    dependencies: manifest.publishConfig ? versioned(dependencies) : {},
    ...(peerDependencies && { peerDependencies: versioned(peerDependencies) }),
    // npm publishes such a package only where it can prove from which commit and build it comes.
    publishConfig: { access: access ?? 'public', provenance: true },
  }
}
