/** The parts of a package.json that are read here. */
export interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
}

/** One import of a module: what it names, and whether only types are taken. */
export interface Import {
  readonly from: string
  readonly typeOnly: boolean
}

/** A file of a package, or of bench, with what it imports; `depth` counts the folders between the package and the file. */
export interface Source {
  readonly name: string
  readonly file: string
  readonly depth: number
  readonly imports: readonly Import[]
  /** The subpaths that contract exports, without `./`. */
  readonly subpaths: readonly string[]
}

/** Package, or bench, → the packages that its code may import. A new arrow is a new name here, and a decision. */
const arrows: ReadonlyMap<string, readonly string[]> = new Map([
  ['contract', []],
  ['sdk', ['contract']],
  ['bridge', ['contract']],
  ['react', ['sdk', 'bridge']],
  ['vue', ['sdk']],
  ['svelte', ['sdk']],
  ['plugin', ['contract']],
  ['mcp', ['contract', 'plugin']],
  ['node', ['contract']],
  ['state', ['node']],
  ['state-sqlite', ['node', 'state']],
  ['state-cluster', ['node', 'state']],
  ['runner', ['contract', 'mcp', 'node']],
  ['shell', ['contract', 'bridge']],
  ['host', ['contract', 'node', 'runner', 'state']],
  ['testing', ['contract', 'sdk', 'bridge', 'plugin', 'node', 'runner', 'state', 'host']],
  [
    'cli',
    [
      'contract',
      'sdk',
      'plugin',
      'host',
      'node',
      'runner',
      'shell',
      'state-sqlite',
      'state-cluster',
      'testing',
    ],
  ],
  ['create-svc', []],
  [
    'conformance',
    [
      'contract',
      'sdk',
      'bridge',
      'plugin',
      'mcp',
      'node',
      'runner',
      'state',
      'state-sqlite',
      'state-cluster',
      'host',
    ],
  ],
  [
    'bench',
    [
      'contract',
      'sdk',
      'bridge',
      'react',
      'vue',
      'svelte',
      'plugin',
      'runner',
      'state',
      'state-sqlite',
      'state-cluster',
      'host',
      'cli',
      'conformance',
    ],
  ],
])

/** The parts of contract that bring zod: its root, the table of routes, and what svc uses of zod. */
const withZod = new Set(['', 'routes', 'zod'])

/** Packages that run in a browser or a tool process: of what brings zod they take types only. */
const withoutZod = new Set(['sdk', 'bridge', 'plugin', 'mcp', 'node', 'runner'])

const IMPORT = /^[ \t]*(?:import|export)\s+(type\s)?(?:[\w*${},\s]*?\sfrom\s*)?['"]([^'"\n]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"\n]+)['"]/g

/** Whether a file is a test, or a helper of tests: `packages/testing` is a package as any other. */
export const isTestFile = (file: string): boolean => /\.test\.tsx?$|(?<!^packages)\/testing\//.test(file)

/** Every import, re-export and dynamic import of a source text. `import { type A }` is no type import: it runs the module. */
export function readImports(text: string): Import[] {
  const still = [...text.matchAll(IMPORT)].map(([, type, from = '']) => ({ from, typeOnly: Boolean(type) }))
  const later = [...text.matchAll(DYNAMIC)].map(([, from = '']) => ({ from, typeOnly: false }))
  return [...still, ...later]
}

/** What a file imports against the arrows, one sentence each. Tests and their helpers may import any package. */
export function wrongImports({ name, file, depth, imports, subpaths }: Source): string[] {
  const isTest = isTestFile(file)
  const allowed = isTest ? [...arrows.keys()] : [name, ...(arrows.get(name) ?? [])]
  return imports.flatMap(({ from, typeOnly }) => {
    if (from.startsWith('.')) {
      const up = from.split('/').filter((part) => part === '..').length
      return up > depth ? [`"${from}" leaves the package; import it by its package's name`] : []
    }
    const [scope, other = '', ...rest] = from.split('/')
    if (scope !== '@svc') return []
    const subpath = rest.join('/')
    if (!allowed.includes(other)) return [`${name} must not import ${other} ("${from}")`]
    if (isTest) return []
    if (other === 'shell' && name !== 'shell' && !subpath.startsWith('dist/')) {
      return [`of shell only the built files may be imported, got "${from}"`]
    }
    if (other !== 'contract') return []
    if (subpath !== '' && !subpaths.includes(subpath)) return [`contract exports no "${subpath}"`]
    const bringsZod = withZod.has(subpath) && !typeOnly && withoutZod.has(name)
    return bringsZod
      ? [`${name} takes types only from "${from}", which brings zod; use another subpath or \`import type\``]
      : []
  })
}

/** Runtime dependencies against the arrows, one sentence each. */
export function wrongDependencies(name: string, { dependencies = {} }: Manifest): string[] {
  const allowed = arrows.get(name)
  if (!allowed) return [`there is no place for a package "${name}"; give it its arrows in scripts/arrows.ts`]
  return Object.keys(dependencies)
    .filter(
      (dependency) => dependency.startsWith('@svc/') && !allowed.includes(dependency.slice('@svc/'.length)),
    )
    .map((dependency) => `${name} must not depend on ${dependency}`)
}
