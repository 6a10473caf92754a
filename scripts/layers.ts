import path from 'node:path'
import type { Import } from './arrows.ts'

/**
 * The layers of a package, the lowest first: the folders under its `src`. A layer may import those before it. Files beside
 * the layers put them together and may import all of them; `testing` is for tests
 * (docs/decisions/0070-layers-of-the-host.md).
 */
export const layersOf: Readonly<Record<string, readonly string[]>> = {
  contract: ['values', 'limits', 'errors', 'states', 'methods', 'schemas', 'routes', 'wire'],
  runner: ['port', 'link', 'lines', 'isolation', 'processes', 'install', 'calls', 'remote'],
  'state-sqlite': ['threads', 'folder', 'ports', 'portable'],
  'state-cluster': ['postgres', 'peers', 'redis', 'portable', 'doctor'],
  cli: [
    'terminal',
    'checks',
    'project',
    'hot',
    'host',
    'allow',
    'plug-check',
    'publish',
    'app',
    'types',
    'app-check',
    'harness',
    'doctor',
    'commands',
  ],
  testing: [
    'errors',
    'time',
    'network',
    'tools',
    'models',
    'page',
    'app',
    'windows',
    'faults',
    'host',
    'playwright',
    'front',
  ],
  shell: [
    'geometry',
    'state',
    'windows',
    'manage',
    'desk',
    'components',
    'panels',
    'manage-page',
    'keys',
    'app',
  ],
  host: [
    'kernel',
    'catalog',
    'access',
    'events',
    'machines',
    'windows',
    'data',
    'models',
    'plugins',
    'apps',
    'work',
    'user-data',
    'edge',
  ],
}

const TESTS = 'testing'

/** A file of a package under `src` with what it imports. */
export interface Step {
  /** The package. */
  readonly name: string
  /** From its `src`. */
  readonly file: string
  readonly imports: readonly Import[]
}

/** The imports of a file that go up the layers of its package, one sentence each. Tests may import anything. */
export function wrongSteps({ name, file, imports }: Step): string[] {
  const layers = layersOf[name]
  const layer = layerOf(file)
  if (!layers || layer === null || layer === TESTS || /\.test\.tsx?$/.test(file)) return []
  const at = layers.indexOf(layer)
  if (at < 0) return [`there is no layer "${layer}" in ${name}; give it its place in scripts/layers.ts`]
  return imports.flatMap(({ from }) => {
    if (!from.startsWith('.')) return []
    const target = path.posix.join(path.posix.dirname(file), from)
    const other = layerOf(target)
    if (other === null) return [`${layer} must not import ${target}, which stands above it`]
    if (other === TESTS) return [`${target} is for tests alone`]
    return layers.indexOf(other) > at
      ? [`${layer} must not import ${other}, which stands above it ("${from}")`]
      : []
  })
}

/** The first folder of a path; `null`: it is in none. */
const layerOf = (file: string): string | null => (file.includes('/') ? (file.split('/')[0] ?? null) : null)
