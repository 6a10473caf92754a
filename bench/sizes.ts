import { bundleSize, oneFileSize, type Weight } from '@svc/conformance/testing/bundle-size'

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
    most: 2_465,
  },
  {
    name: 'SDK whole',
    imports: `export * from '@svc/sdk'`,
    most: 6_995,
    later: { name: '  sessions and runs, loaded on demand', most: 3_025 },
  },
  { name: 'bridge', imports: `export * from '@svc/bridge'`, most: 8_815 },
]

/** The one file of the SDK, with its licences: nothing of it is loaded later. */
const ONE_FILE_BYTES_MAX = 10_000

/** Prints what each entry weighs, minified and compressed, with everything that it imports. */
export async function benchSizes() {
  console.log('\nbytes of what is shipped to a browser (esbuild, minified, without licence comments)')
  for (const { name, imports, most, later } of entries) {
    const size = await bundleSize(imports)
    print(name, size, most)
    if (later) print(later.name, size.later, later.most)
  }
  print('SDK as one file', await oneFileSize(`export * from '@svc/sdk'`), ONE_FILE_BYTES_MAX)
}

function print(name: string, { bytes, text }: Weight, most: number): void {
  const over = bytes > most ? '  too large' : ''
  console.log(
    `  ${name.padEnd(40)} ${String(text.length).padStart(6)} minified  ${String(bytes).padStart(6)} brotli  of ${most}${over}`,
  )
}

if (import.meta.main) await benchSizes()
