import { execFileSync } from 'node:child_process'
import { globSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openRegistry, type TestPackage } from '@svc/conformance/testing/npm-registry'
import { someRows } from '@svc/conformance/testing/some-rows'
import { verifies } from '@svc/conformance/verifies'
import { compareSemver } from '@svc/contract/semver'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type InstallBed, openInstallBed, tinyPlugin, where } from '../testing/install.ts'
import { managers } from './managers.ts'

/** npm starts in about half a second, and a busy machine is slower. */
const NPM_MS = 120_000

const { since = '' } = managers.npm
const isOld = compareSemver(execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(), since) < 0

/** Tells that it ran, in the home, which is the folder of the test, and in the folder of the install. */
const tells = 'touch "$HOME/ran" "$INIT_CWD/ran" ./ran'
const lifecycle = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
]
const scripts = Object.fromEntries(lifecycle.map((name) => [name, tells]))

type Hostile = Partial<Omit<TestPackage, 'manifest'>> & { readonly manifest?: object }

/** Packages that want to have something run while they are installed, or something written outside of their folder. */
const inert: Readonly<Record<string, Hostile>> = {
  'scripts of every stage': { manifest: { scripts, hasInstallScript: true } },
  'a build of native code': {
    manifest: { gypfile: true },
    files: { 'binding.gyp': '{"targets":[{"target_name":"<!(touch ran)"}]}' },
  },
  'a start of its own': { files: { 'server.js': 'require("node:fs").writeFileSync("ran", "")' } },
  'settings that allow scripts': {
    manifest: { scripts },
    files: { '.npmrc': 'ignore-scripts=false\nscript-shell=/bin/sh\nprefix=~\n' },
  },
  'permissions that it gives itself': {
    manifest: {
      scripts,
      trustedDependencies: ['*'],
      allowScripts: { '*': true },
      config: { 'ignore-scripts': false },
    },
  },
  'hooks of all packages': { files: { 'node_modules/.hooks/postinstall': `#!/bin/sh\n${tells}` } },
  'a package in it, with scripts': {
    manifest: { bundledDependencies: ['inner'], dependencies: { inner: '1.0.0' } },
    files: {
      'node_modules/inner/package.json': JSON.stringify({ name: 'inner', version: '1.0.0', scripts }),
    },
  },
  'a peer with scripts': { manifest: { peerDependencies: { needed: '1.0.0' } } },
  'a need by another name': { manifest: { dependencies: { other: 'npm:needed@1.0.0' } } },
  'a program out of its folder': { manifest: { bin: { away: '../../../../secret' } } },
  'a program by an absolute path': { manifest: { bin: { away: '/etc/passwd' } } },
  'a program whose name leads out': { manifest: { bin: { '../../../../stolen': 'index.js' } } },
  'a program that is called as others are': {
    manifest: { bin: { node: 'index.js', npm: 'index.js', sh: 'index.js' } },
  },
  'a folder of programs out of its folder': { manifest: { directories: { bin: '../../..' } } },
  'manuals out of its folder': { manifest: { man: ['../../../../secret.1', '/etc/passwd'] } },
  'workspaces of its own': { manifest: { workspaces: ['../../../..'] } },
  'an override for all': { manifest: { overrides: { needed: 'file:/etc' } } },
  'an engine that is not there': {
    manifest: { engines: { node: '>=999' } },
    files: { '.npmrc': 'engine-strict=true' },
  },
  'a manager of its own': {
    manifest: {
      packageManager: 'pnpm@9.0.0',
      devEngines: { packageManager: { name: 'pnpm', onFail: 'download' } },
    },
  },
  'needs of its developers': { manifest: { devDependencies: { away: 'git+file:///etc' } } },
  'a link out of its folder': {
    odd: [
      { name: 'package/link', type: '2', linkname: '../../../..' },
      { name: 'package/link/stolen', body: 'x' },
    ],
  },
  'a hard link out of its folder': {
    odd: [
      { name: 'package/hard', type: '1', linkname: '../../../../secret' },
      { name: 'package/hard', body: 'stolen' },
    ],
  },
  'a path that leads out': { odd: [{ name: 'package/../../../../../stolen', body: 'x' }] },
  'an absolute path': { odd: [{ name: '/tmp/svc-hostile-stolen', body: 'x' }] },
  'a device': {
    odd: [
      { name: 'package/device', type: '3' },
      { name: 'package/pipe', type: '6' },
    ],
  },
  'a file with the rights of its owner': { odd: [{ name: 'package/suid', body: 'x', mode: 0o6777 }] },
  'a file in the place of another package': { odd: [{ name: 'package/../needed/index.js', body: 'stolen' }] },
}

/** Packages that would be fetched from elsewhere than the registry: refused before anything is written. */
const elsewhere: Readonly<Record<string, Hostile>> = {
  'a repository': { manifest: { dependencies: { away: 'git+file:///etc' } } },
  'a repository by a short name': { manifest: { dependencies: { away: 'github:ada/away' } } },
  'a repository over ssh': { manifest: { dependencies: { away: 'git+ssh://git@127.0.0.1/away.git' } } },
  'a link': { manifest: { dependencies: { away: 'link:/etc' } } },
  'a workspace': { manifest: { dependencies: { away: 'workspace:*' } } },
  'an archive of the machine': { manifest: {}, tarballUrl: 'file:///etc/passwd' },
  'an archive of another port': { manifest: {}, tarballUrl: 'PORT/tiny.tgz' },
  'an archive of another host': { manifest: {}, tarballUrl: 'https://files.example.org/tiny.tgz' },
}

const named = (at: number) => `hostile-${at}`
const packageOf = (name: string, { manifest, files, ...more }: Hostile): TestPackage => ({
  manifest: { name, version: '1.0.0', ...manifest },
  files: { 'index.js': '', ...files },
  ...more,
})

let bed: InstallBed
let registry: Awaited<ReturnType<typeof openRegistry>>
let asked: string[]
let closes: (() => unknown)[] = []
beforeAll(async () => {
  bed = openInstallBed()
  asked = []
  const other = createServer((request, response) => {
    asked.push(String(request.url))
    response.end('{}')
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const port = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  const names = Object.keys(inert).map((_name, at) => named(at))
  registry = await openRegistry([
    packageOf('needed', { manifest: { scripts } }),
    ...Object.values(inert).map((one, at) => packageOf(named(at), one)),
    ...Object.values(elsewhere).map((one, at) => ({
      ...packageOf(`away-${at}`, { ...one, manifest: { bin: 'index.js', ...one.manifest } }),
      ...(one.tarballUrl && { tarballUrl: one.tarballUrl.replace('PORT', port) }),
    })),
    {
      manifest: {
        name: 'all',
        version: '1.0.0',
        bin: 'cli.js',
        scripts,
        dependencies: Object.fromEntries(['needed', ...names].map((name) => [name, '1.0.0'])),
      },
      files: { 'cli.js': tinyPlugin('genuine') },
    },
  ])
  closes = [() => other.close(), () => registry.close(), () => bed.close()]
}, NPM_MS)
afterAll(async () => {
  for (const close of closes) await close()
})
beforeEach(({ skip }) => {
  skip(isOld, 'the npm of this machine is older than those that the runner takes')
  vi.stubEnv('HOME', bed.folder)
  return () => vi.unstubAllEnvs()
})

const plugin = (package_name: string) => bed.plugin({ type: 'npm', package_name })
/** What lies in the home, and what it is. */
const home = () =>
  globSync('*', { cwd: bed.folder })
    .filter((name) => name !== 'installs')
    .map((name) => [name, readFileSync(join(bed.folder, name), 'utf8')])

describe('packages of npm that want more than to be installed', () => {
  verifies(
    'wall.plugin.install',
    'run nothing, and write nothing outside of their folders, 27 in one install',
    async () => {
      expect(Object.keys(inert)).toHaveLength(27)
      writeFileSync(join(bed.folder, 'secret'), 'a secret')
      mkdirSync(bed.installDir, { recursive: true })
      const before = home()
      const { file, mark } = await where(bed.open({ npmRegistry: registry.url }), plugin('all'))
      expect(mark).toBe('genuine')
      expect(home()).toEqual(before)
      const root = join(file, '../../..')
      const all = globSync('**', { cwd: root })
      expect(all.filter((path) => /(^|\/)(ran|device|pipe)$/.test(path))).toEqual([])
      const links = all.filter((path) => lstatSync(join(root, path)).isSymbolicLink())
      expect(links.filter((path) => !realpathSync(join(root, path)).startsWith(realpathSync(root)))).toEqual(
        [],
      )
      expect(all.filter((path) => (statSync(join(root, path)).mode & 0o6000) !== 0)).toEqual([])
      expect(readFileSync(join(root, 'node_modules/needed/index.js'), 'utf8')).toBe('')
      expect(globSync('/tmp/svc-hostile-stolen')).toEqual([])
    },
    NPM_MS,
  )

  it.each(someRows(Object.keys(elsewhere), 3))(
    'are refused where they come from elsewhere: %s',
    async (name) => {
      const at = Object.keys(elsewhere).indexOf(name)
      const before = bed.left()
      const outcome = await bed
        .open({ npmRegistry: registry.url, limits: { INSTALL_TIMEOUT_MS: NPM_MS / 2 } })
        .install(plugin(`away-${at}`))
      // Not that it takes long: what it has begun would still be there.
      expect(outcome).toMatchObject({ code: 'plug_unavailable', message: expect.stringContaining('npm: ') })
      expect(bed.left()).toEqual(before)
      expect(asked).toEqual([])
    },
    NPM_MS,
  )
})
