import { readFileSync } from 'node:fs'

/** How a package is built for others: where it runs and which module systems it offers. */
export interface Library {
  readonly dir: string
  readonly platform: 'neutral' | 'node'
  readonly formats: readonly ('esm' | 'cjs')[]
}

const both = ['esm', 'cjs'] as const

/** The packages that others install. The command line is no library: nobody requires it. */
export const libraries: readonly Library[] = [
  { dir: 'packages/contract', platform: 'neutral', formats: both },
  { dir: 'packages/sdk', platform: 'neutral', formats: both },
  { dir: 'packages/bridge', platform: 'neutral', formats: both },
  { dir: 'packages/plugin', platform: 'node', formats: both },
  { dir: 'packages/mcp', platform: 'node', formats: ['esm'] },
  { dir: 'packages/runner', platform: 'node', formats: both },
  { dir: 'packages/host', platform: 'node', formats: both },
  { dir: 'packages/cli', platform: 'node', formats: ['esm'] },
]

/** The parts of a package.json that builds read and write. */
export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig?: Readonly<Record<string, unknown>>
}

/** Reads the package.json of a library. */
export const readManifest = (dir: string): Manifest =>
  JSON.parse(readFileSync(`${dir}/package.json`, 'utf8')) as Manifest

/** `./src/states/index.ts` → `states/index`: the entry's name under dist. */
export const entryName = (source: string) => source.replace(/^\.\/src\//, '').replace(/\.ts$/, '')

/** What stands in the packed package.json instead of `exports` and `bin`: dist in the place of src. */
export function publishConfig({ exports, bin }: Manifest, { formats }: Library): Record<string, unknown> {
  const target = (source: string) => {
    const file = `./dist/${entryName(source)}`
    const esm = { types: `${file}.d.ts`, default: `${file}.js` }
    const cjs = { types: `${file}.d.cts`, default: `${file}.cjs` }
    return formats.includes('cjs') ? { import: esm, require: cjs } : esm
  }
  const map = <T>(table: Readonly<Record<string, string>>, to: (source: string) => T) =>
    Object.fromEntries(Object.entries(table).map(([name, source]) => [name, to(source)]))
  return {
    access: 'public',
    exports: map(exports, target),
    ...(bin && { bin: map(bin, (source) => `./dist/${entryName(source)}.js`) }),
  }
}
