import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Platform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { verifies } from './verifies.ts'

const packages = path.resolve(import.meta.dirname, '../..')

/** Packages whose code runs in an iframe, a page or a tool process: a strict page refuses what zod probes. */
const places: readonly { name: string; platform: Platform }[] = [
  { name: 'sdk', platform: 'browser' },
  { name: 'bridge', platform: 'browser' },
  { name: 'plugin', platform: 'node' },
  { name: 'mcp', platform: 'node' },
  { name: 'runner', platform: 'node' },
]

const exportsOf = (name: string): [subpath: string, source: string][] => {
  const manifest = readFileSync(path.join(packages, name, 'package.json'), 'utf8')
  const { exports } = JSON.parse(manifest) as { exports: Record<string, string> }
  return Object.entries(exports).map(([subpath, source]) => [subpath, path.join(packages, name, source)])
}

const inputsOf = async (source: string, platform: Platform): Promise<string[]> => {
  const { metafile } = await build({
    entryPoints: [source],
    platform,
    format: 'esm',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  return Object.keys(metafile.inputs)
}

const isZod = (input: string) => /node_modules\/zod\//.test(input)

const entries = places.flatMap(({ name, platform }) =>
  exportsOf(name).map(([subpath, source]) => ({ entry: path.posix.join(name, subpath), source, platform })),
)
/** Schemas are for the host: who else reads these takes types. */
const schemas = new Set(['.', './routes', './zod'])
/** What hashes by Node: for host and runner. */
const forNode = new Set(['./digest'])
const contract = exportsOf('contract').map(([subpath, source]) => ({
  subpath,
  source,
  entry: path.posix.join('contract', subpath),
}))

describe('zod stays in the host', () => {
  verifies.each('design.no_zod')(entries)('$entry brings none', async ({ source, platform }) => {
    const inputs = await inputsOf(source, platform)
    expect(inputs.length).toBeGreaterThan(0)
    expect(inputs.filter(isZod)).toEqual([])
  })

  it.each(contract.filter(({ subpath }) => !schemas.has(subpath)))(
    '$entry brings none',
    async ({ source, subpath }) => {
      const platform = forNode.has(subpath) ? 'node' : 'browser'
      expect((await inputsOf(source, platform)).filter(isZod)).toEqual([])
    },
  )

  it.each(contract.filter(({ subpath }) => schemas.has(subpath)))(
    'would be seen: $entry brings it',
    async ({ source }) => {
      expect((await inputsOf(source, 'browser')).some(isZod)).toBe(true)
    },
  )
})
