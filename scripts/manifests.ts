// Writes publishConfig into the package.json of every library from its exports; with --check it only says which is stale.

import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { libraries, publishConfig, readManifest } from './libraries.ts'

const checking = process.argv.includes('--check')
for (const library of libraries) {
  const manifest = readManifest(library.dir)
  const wanted = publishConfig(manifest, library)
  if (isDeepStrictEqual(manifest.publishConfig, wanted)) continue
  const file = `${library.dir}/package.json`
  if (checking) {
    console.error(`publishConfig in ${file} is stale; run npm run manifests`)
    process.exitCode = 1
  } else {
    writeFileSync(file, `${JSON.stringify({ ...manifest, publishConfig: wanted }, null, 2)}\n`)
    console.log(`written: ${file}`)
  }
}
