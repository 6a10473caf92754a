import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tarCases } from '@svc/conformance/testing/tar-cases'
import { zipCases } from '@svc/conformance/testing/zip-cases'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, expect } from 'vitest'
import { type InstallBed, openInstallBed } from '../testing/install.ts'

let bed: InstallBed
let runner: ReturnType<InstallBed['open']>
beforeAll(() => {
  bed = openInstallBed()
  runner = bed.open()
})
afterAll(() => bed.close())

/** Every hostile archive as a plugin would bring it. */
const archives: [name: string, ending: string, bytes: () => Buffer][] = [
  ...Object.entries(tarCases).map(([name, { bytes, gz }]): [string, string, () => Buffer] => [
    name,
    '.tgz',
    () => (gz ? bytes() : gzipSync(bytes(), { level: 1 })),
  ]),
  ...Object.entries(zipCases).map(([name, { bytes }]): [string, string, () => Buffer] => [
    name,
    '.zip',
    bytes,
  ]),
]

verifies.each('plug.install.judged')(archives)('%s in a %s leaves nothing', async (_name, ending, bytes) => {
  const path = join(bed.folder, `hostile${ending}`)
  writeFileSync(path, bytes())
  const outcome = await runner.install(bed.plugin({ type: 'local', path, executable_name: 'manifest.json' }))
  expect(outcome).toMatchObject({ ok: false, code: 'invalid_arg', details: { reason: 'archive_refused' } })
  expect(outcome).toHaveProperty('message', expect.stringMatching(/the archive|the path|the file|at most/))
  expect(bed.left()).toEqual([])
  expect(readdirSync(bed.folder).filter((name) => !name.startsWith('hostile'))).toEqual(['installs'])
})
