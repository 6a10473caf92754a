// `npm run release`: packs everything that is published, with the versions that the changesets give, and checks the
// tarballs. Nothing leaves the machine and the checkout stays as it is, unless `--publish URL` names a registry.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { findingsOf } from './findings.ts'
import { type PackedPackage, packRelease } from './pack.ts'
import { isLocal, publish } from './publish.ts'
import { isScope, publishScope } from './scope.ts'

const KIB = 1024

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: publishScope },
    to: { type: 'string', default: 'dist/release' },
    docs: { type: 'string' },
    publish: { type: 'string' },
    'no-provenance': { type: 'boolean', default: false },
  },
})

const wrong = isScope(values.scope) ? await release() : `"${values.scope}" is not a scope, such as @acme`
if (wrong !== null) {
  console.error(`svc: ${wrong}`)
  process.exitCode = 1
}

/** Returns what went wrong in one sentence, or null. */
async function release(): Promise<string | null> {
  const { scope, to, docs = null, publish: url, 'no-provenance': unproven } = values
  if (docs !== null && !URL.canParse(docs)) return `"${docs}" is not the URL of a docs site`
  if (url !== undefined && !URL.canParse(url)) return `"${url}" is not the URL of a registry`
  const { packages, changesets } = await packRelease(process.cwd(), path.resolve(to), scope, docs)
  console.log(`${changesets} changesets; packed and unpacked KiB, files`)
  let found = 0
  for (const one of packages) {
    const findings = await findingsOf(one)
    found += findings.length
    print(one, findings)
  }
  if (found > 0) return `${found} findings, so nothing may be published`
  if (url === undefined) {
    console.log(`\nchecked, and not published; the tarballs are in ${to}`)
    return null
  }
  // What others install is built from a commit that has its version.
  if (changesets > 0 && !isLocal(url))
    return `${changesets} changesets have no version: run npm run changeset -- version, and commit it`
  const failed = await publish(
    packages,
    { url, provenance: !unproven && !isLocal(url) },
    { log: console.log },
  )
  return failed.length === 0 ? null : failed.join('\n')
}

function print(
  { name, version, size, unpackedSize, files }: PackedPackage,
  findings: readonly string[],
): void {
  const numbers = [size / KIB, unpackedSize / KIB, files.length].map((n) => n.toFixed(0).padStart(6))
  console.log(`${findings.length === 0 ? '✓' : '✗'} ${`${name}@${version}`.padEnd(28)}${numbers.join('')}`)
  for (const finding of findings) console.log(`    ${finding}`)
}
