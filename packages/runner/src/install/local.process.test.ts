import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TarEntry, tarOf, zipOf } from '@svc/conformance/testing/archives'
import { verifies } from '@svc/conformance/verifies'
import type { InstallFault } from '@svc/contract/errors'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { failure } from '../port/runner.ts'
import { type InstallBed, openInstallBed, tinyPlugin, tinyProgram, where } from '../testing/install.ts'
import { localMethod } from './local.ts'

// Each call starts a process.
vi.setConfig({ testTimeout: 30_000 })

const ANOTHER_UID = 65_534

let bed: InstallBed
beforeEach(() => {
  bed = openInstallBed()
})
afterEach(() => bed.close())

/** Writes a file into the folder of the test. */
function put(name: string, content: string | Uint8Array, mode = 0o700): string {
  const file = join(bed.folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}

const local = (path: string, executable_name?: string) =>
  bed.plugin({ type: 'local', path, ...(executable_name !== undefined && { executable_name }) })
const packageJson = (bin: unknown) => JSON.stringify({ name: 'tiny', bin })
const tgz = (...entries: readonly TarEntry[]) => gzipSync(tarOf(...entries))

verifies.each('plug.install.local')([
  ['a program, which is copied', 'tiny', () => tinyProgram(), 'installs'],
  ['a script, which stays where it stands', 'tiny.cjs', () => tinyPlugin(), 'tiny.cjs'],
  ['a .tar.gz', 'tiny.tar.gz', () => tgz({ name: 'bin/run', body: tinyProgram(), mode: 0o755 }), 'bin/run'],
  ['a .tgz', 'tiny.TGZ', () => tgz({ name: 'tiny.cjs', body: tinyPlugin() }), 'tiny.cjs'],
  ['a .zip', 'tiny.zip', () => zipOf([{ name: 'a/tiny.cjs', body: tinyPlugin() }]), 'a/tiny.cjs'],
  [
    'the one program among other files',
    'tiny.zip',
    () =>
      zipOf([
        { name: 'lib.js', body: '' },
        { name: 'README', body: '' },
        { name: 'run', body: tinyProgram(), mode: 0o100755 },
      ]),
    '/run',
  ],
  [
    'what package.json names, in the folder that npm packs into',
    'tiny.tgz',
    () =>
      tgz(
        { name: 'package/package.json', body: packageJson('./lib/cli.js') },
        { name: 'package/lib/cli.js', body: tinyPlugin() },
        { name: 'package/other', body: '#!/bin/false', mode: 0o755 },
      ),
    'package/lib/cli.js',
  ],
])('%s is started', async (_what, name, content, file) => {
  const path = put(name, content())
  const said = await where(bed.open(), local(path))
  expect(said.file).toContain(file)
  expect(said.args).toEqual([])
})

verifies('plug.install.local', 'a Python script and an interpreted program are started', async () => {
  const script = readFileSync(new URL('../testing/echo.py', import.meta.url))
  const runner = bed.open()
  for (const path of [put('echo.py', script), put('echo', `#!/usr/bin/env python3\n${script}`)])
    expect(await runner.describe(local(path))).toMatchObject({ ok: true })
})

verifies('plug.install.executable', 'executable_name chooses among several', async () => {
  const archive = put(
    'many.tgz',
    tgz(
      { name: 'bin/a', body: tinyProgram('a'), mode: 0o755 },
      { name: 'bin/b', body: tinyProgram('b'), mode: 0o755 },
    ),
  )
  const bins = put(
    'bins.tgz',
    tgz(
      { name: 'package.json', body: packageJson({ a: 'x.js', b: 'y.js' }) },
      { name: 'x.js', body: tinyPlugin('a') },
      { name: 'y.js', body: tinyPlugin('b') },
    ),
  )
  const runner = bed.open()
  for (const path of [archive, bins])
    for (const name of ['a', 'b']) expect((await where(runner, local(path, name))).mark).toBe(name)
})

/** What cannot be installed, and the end of the sentence. Lines of the corpus stand under their names there. */
const refused: Readonly<
  Record<string, () => { path: string; reason: InstallFault; says: string; name?: string }>
> = {
  'single executable that is a symlink': () => {
    const path = join(bed.folder, 'link')
    symlinkSync(put('tiny', tinyProgram()), path)
    return { path, reason: 'path_is_link', says: 'is a link; use the path of its target' }
  },
  'a directory': () => ({
    path: bed.folder,
    reason: 'path_is_folder',
    says: 'is a folder; name an archive or an executable',
  }),
  'FIFO path': () => {
    const path = join(bed.folder, 'fifo')
    execFileSync('mkfifo', [path])
    return { path, reason: 'path_not_a_file', says: 'is not a plain file' }
  },
  'path with ..': () => ({
    path: `${bed.folder}/../${put('tiny', tinyProgram())}`,
    reason: 'path_unsafe',
    says: 'its path must be absolute and without ..',
  }),
  'missing file': () => ({ path: join(bed.folder, 'nothing'), reason: 'path_missing', says: 'is not there' }),
  'ELF/PE/script without shebang': () => ({
    path: put('tiny.exe', Buffer.from('MZ\x90\x00')),
    reason: 'not_executable',
    says: 'tiny.exe is not a program of linux',
  }),
  'wrong extension (.tgz that is a zip)': () => ({
    path: put('tiny.tgz', zipOf([{ name: 'tiny.cjs', body: tinyPlugin() }])),
    reason: 'archive_refused',
    says: 'is not gzip, or is damaged',
  }),
  'archive with two candidates': () => ({
    path: put('two.zip', zipOf([{ name: 'a.js' }, { name: 'b.js' }])),
    reason: 'executable_unclear',
    says: 'it has several executables: it has a.js, b.js. Name one by executable_name.',
  }),
  'world-writable parent dir': () => {
    const path = put('open/tiny', tinyProgram())
    chmodSync(join(path, '..'), 0o777)
    return { path, reason: 'path_unsafe', says: 'which others can change' }
  },
  'a world-writable folder behind a link': () => {
    const path = put('open/in/tiny', tinyProgram())
    chmodSync(join(bed.folder, 'open'), 0o777)
    symlinkSync(join(path, '..'), join(bed.folder, 'linked'))
    return {
      path: join(bed.folder, 'linked/tiny'),
      reason: 'path_unsafe',
      says: 'which others can change',
    }
  },
  'a link that leads to itself': () => {
    symlinkSync('loop', join(bed.folder, 'loop'))
    return { path: join(bed.folder, 'loop/tiny'), reason: 'path_is_link', says: 'is a link' }
  },
  'a name that no disk takes': () => ({
    path: join(bed.folder, 'x'.repeat(300)),
    reason: 'path_missing',
    says: 'has a name that is too long',
  }),
  'a file that everybody can change': () => ({
    path: put('tiny', tinyProgram(), 0o777),
    reason: 'path_unsafe',
    says: 'can be changed by others',
  }),
  'a file that its group can change': () => ({
    path: put('tiny', tinyProgram(), 0o770),
    reason: 'path_unsafe',
    says: 'can be changed by others',
  }),
  'a folder that its group can change': () => {
    const path = put('group/tiny', tinyProgram())
    chmodSync(join(path, '..'), 0o770)
    return { path, reason: 'path_unsafe', says: 'which others can change' }
  },
  'a folder of everybody with the sticky bit': () => {
    const path = put('sticky/tiny', tinyProgram())
    chmodSync(join(path, '..'), 0o1777)
    return { path, reason: 'path_unsafe', says: 'which others can change' }
  },
  'a set-uid program': () => ({
    path: put('tiny', tinyProgram(), 0o4755),
    reason: 'path_unsafe',
    says: 'is set-uid',
  }),
  'a relative path': () => ({
    path: 'tiny.cjs',
    reason: 'path_unsafe',
    says: 'its path must be absolute and without ..',
  }),
  'an archive without a program': () => ({
    path: put('empty.zip', zipOf([{ name: 'README' }])),
    reason: 'no_executable',
    says: 'it has no executable. Name one by executable_name.',
  }),
  'an executable_name that is not in it': () => ({
    path: put('one.zip', zipOf([{ name: 'a.js' }])),
    reason: 'no_executable',
    says: 'it has no executable b: it has a.js. Put executable_name right.',
    name: 'b',
  }),
  'a package.json that names what is not there': () => ({
    path: put('gone.zip', zipOf([{ name: 'package.json', body: packageJson('gone.js') }])),
    reason: 'no_executable',
    says: 'gone.js, is not there',
  }),
  'a package.json that names what lies outside': () => ({
    path: put('out.zip', zipOf([{ name: 'package.json', body: packageJson('../../x.js') }])),
    reason: 'no_executable',
    says: 'it has no executable',
  }),
}

verifies.each(['plug.install.judged', 'plug.install.fault'])(Object.entries(refused))(
  '%s is refused',
  async (_what, made) => {
    const { path, reason, says, name } = made()
    const outcome = await bed.open().install(local(path, name))
    expect(outcome).toMatchObject({
      ok: false,
      code: 'invalid_arg',
      details: { distribution: 'local', reason },
    })
    const { message, details } = outcome.ok ? failure('plug_unavailable', 'it was installed') : outcome
    expect([message, details?.hint ?? []].flat().join('. ')).toContain(says)
    expect(outcome).toHaveProperty(
      'message',
      expect.stringContaining('tool-ada-tiny-1 could not be installed (local)'),
    )
    expect(bed.left()).toEqual([])
  },
)

verifies.each('plug.install.owner')([
  ['the file', (file: string) => chownSync(file, ANOTHER_UID, 0), 'belongs to another user (uid 65534)'],
  [
    'its folder',
    (file: string) => chownSync(join(file, '..'), ANOTHER_UID, 0),
    'in/deep, which belongs to another',
  ],
  [
    'a folder above',
    (file: string) => chownSync(join(file, '../..'), ANOTHER_UID, 0),
    'in, which belongs to another',
  ],
])('%s of another user is refused, a script too', async (_what, give, says) => {
  // Only root can give a file away; who is not root is refused by the same line.
  if (process.getuid?.() !== 0) return
  for (const [name, content] of [
    ['tiny', tinyProgram()],
    ['tiny.cjs', tinyPlugin()],
  ] as const) {
    const path = put(`in/deep/${name}`, content)
    give(path)
    const outcome = await bed.open().install(local(path))
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_arg', details: { reason: 'path_unsafe' } })
    expect(outcome).toHaveProperty('message', expect.stringContaining(says))
  }
})

it('every line of the corpus has a case', () => {
  const corpus = JSON.parse(
    readFileSync(new URL('../../../conformance/corpora/archive.json', import.meta.url), 'utf8'),
  ) as { readonly other: readonly string[] }
  const elsewhere = ['file replaced between check and open']
  expect(corpus.other.filter((line) => !(line in refused))).toEqual(elsewhere)
})

verifies.each('plug.install.judged')(['tiny', 'tiny.zip'])(
  'a file that changes between the look at it and its install is refused: %s',
  async (name) => {
    const content = name === 'tiny' ? tinyProgram : () => zipOf([{ name: 'tiny.cjs', body: tinyPlugin() }])
    const path = put(name, content())
    const way = await localMethod({ type: 'local', path }, limits)
    put(name, Buffer.concat([Buffer.from(content()), Buffer.from('\n')]))
    const filled = 'fill' in way && way.fill(bed.folder, new AbortController().signal)
    await expect(filled).rejects.toThrow(`${path} changed while it was installed`)
  },
)

verifies(
  'plug.install.local',
  'an archive may hold what is called like a file of ours, and a program may be',
  async () => {
    const archive = put('ours.zip', zipOf([{ name: 'start.json' }, { name: 'tiny.cjs', body: tinyPlugin() }]))
    const runner = bed.open()
    expect((await where(runner, local(archive))).file).toMatch(/tiny\.cjs$/)
    expect(await runner.install(local(put('start.json', tinyProgram())))).toEqual({ ok: true })
  },
)

verifies(
  'plug.install.judged',
  'what runs is a copy of what was judged: another file in its place is another install',
  async () => {
    const path = put('tiny', tinyProgram('first'))
    const runner = bed.open()
    expect((await where(runner, local(path))).mark).toBe('first')
    const copy = (await where(runner, local(path))).file
    rmSync(path)
    put('tiny', tinyProgram('second'))
    expect(readFileSync(copy, 'utf8')).toBe(tinyProgram('first'))
    expect((await where(runner, local(path))).mark).toBe('second')
    expect(bed.left()).toHaveLength(2)
  },
)
