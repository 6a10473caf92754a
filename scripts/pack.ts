// Stands behind `npm pack` and `pnpm pack` in a package: prepack builds what is missing and writes the package.json
// that others install (dist in place of src, versions in place of workspace:*); postpack puts the own one back.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isBuilt } from './built.ts'
import { packedManifest, readManifest } from './libraries.ts'
import { run } from './spawn.mjs'

const MINUTES = 5

const [step = '', name = ''] = process.argv.slice(2)
const dir = path.join('packages', name)
const manifest = path.join(dir, 'package.json')
/** The package.json of the sources while the packed one is in its place; git does not see it. */
const kept = path.join(dir, '.svc/package.json')
const licence = path.join(dir, 'LICENSE')

if (step === 'prepack') await prepack()
else if (step === 'postpack') restore()
else
  throw new Error(`pack.ts takes prepack or postpack and the name of a package, got ${process.argv.slice(2)}`)

async function prepack() {
  // A pack that was killed left the packed one behind.
  restore()
  if (!isBuilt(dir)) {
    // What is printed on stdout belongs to the packer: `npm pack --json`.
    const { code, output } = await run('node', ['scripts/build.ts', name], {
      capture: true,
      minutes: MINUTES,
    })
    if (code !== 0) throw new Error(`${dir} could not be built, so it cannot be packed:\n${output}`)
  }
  const versionOf = (other: string) => readManifest(other.replace('@svc/', 'packages/')).version
  const packed = packedManifest(readManifest(dir), versionOf)
  mkdirSync(path.dirname(kept), { recursive: true })
  copyFileSync(manifest, kept)
  copyFileSync('LICENSE', licence)
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`)
}

function restore() {
  if (!existsSync(kept)) return
  copyFileSync(kept, manifest)
  rmSync(path.dirname(kept), { recursive: true })
  rmSync(licence, { force: true })
}
