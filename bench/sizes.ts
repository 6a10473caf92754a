import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bindingSize, bundleSize, oneFileSize, type Weight } from '@svc/conformance/testing/bundle-size'
import { type Result, resultOf } from './lib/result.ts'
import { packInto } from './start/packed.ts'

interface Entry {
  readonly name: string
  readonly imports: string
  readonly most: number
  /** What it loads when it is needed. */
  readonly later?: { readonly name: string; readonly most: number }
}

/** What is shipped to a browser: what an app or a page imports, and the most that it may weigh in bytes of brotli. */
const entries: readonly Entry[] = [
  {
    name: 'SDK core (connect, typed calls, errors)',
    imports: `export { connect, client } from '@svc/sdk/core'`,
    most: 2_300,
  },
  {
    name: 'SDK whole',
    imports: `export * from '@svc/sdk'`,
    most: 5_450,
    later: {
      name: '  sessions, runs, what is wrong with a value, files for the user, on demand',
      most: 3_950,
    },
  },
  {
    name: 'bridge',
    imports: `export * from '@svc/bridge'`,
    most: 10_800,
    later: { name: '  call socket, wishes of apps, why an app did not load, on demand', most: 4_450 },
  },
]

/** What bindings add to the SDK of an app, and the most that each may. */
const bindings = [
  { name: 'React hooks', dir: 'packages/react', imports: '@svc/react' },
  { name: 'Vue composables', dir: 'packages/vue', imports: '@svc/vue' },
  { name: 'Svelte states', dir: 'packages/svelte', imports: '@svc/svelte' },
]
const BINDING_BYTES_MAX = 1_500

/** The one file of the SDK, with its licences: nothing of it is loaded later. */
const ONE_FILE_BYTES_MAX = 9_000

/** How much more the built packages may weigh than their sources: esbuild splits files that a bundler joins again. */
const PUBLISHED_MOST = 1.015

/** The same entries of packages as they are published: built, with the `exports` of `publishConfig`. */
async function publishedSizes() {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-sizes-'))
  try {
    await packInto(folder, ['contract', 'sdk', 'bridge'])
    const sizes = entries.map(async (entry) => ({ ...entry, size: await bundleSize(entry.imports, folder) }))
    return await Promise.all(sizes)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Prints what each entry weighs, minified and compressed, with everything that it imports. */
export async function benchSizes(): Promise<Result> {
  const figures: Record<string, number> = {}
  const print = (name: string, { bytes, text }: Weight, most: number) => {
    figures[name.trim()] = bytes
    const over = bytes > most ? '  too large' : ''
    console.log(
      `  ${name.padEnd(40)} ${String(text.length).padStart(6)} minified  ${String(bytes).padStart(6)} brotli  of ${most}${over}`,
    )
  }
  console.log('\nbytes of what is shipped to a browser (esbuild, minified, without licence comments)')
  for (const { name, imports, most, later } of entries) {
    const size = await bundleSize(imports)
    print(name, size, most)
    if (later) print(later.name, size.later, later.most)
  }
  for (const { name, size, most, later } of await publishedSizes()) {
    print(`${name}, as published`, size, Math.floor(most * PUBLISHED_MOST))
    if (later) print(`${later.name}, as published`, size.later, Math.floor(later.most * PUBLISHED_MOST))
  }
  print('SDK as one file', await oneFileSize(`export * from '@svc/sdk'`), ONE_FILE_BYTES_MAX)
  for (const { name, dir, imports } of bindings) {
    const base = `export * from '@svc/sdk'`
    const bytes = await bindingSize(
      path.resolve(import.meta.dirname, '..', dir),
      base,
      `export * from '${imports}'`,
    )
    figures[`${name}, over the SDK`] = bytes
    const over = bytes > BINDING_BYTES_MAX ? '  too large' : ''
    console.log(
      `  ${`${name}, over the SDK`.padEnd(40)} ${''.padStart(15)} ${String(bytes).padStart(7)} brotli  of ${BINDING_BYTES_MAX}${over}`,
    )
  }
  return resultOf({ title: 'bytes to a browser', unit: 'bytes of brotli', better: 'less', noise: 0, figures })
}

if (import.meta.main) await benchSizes()
