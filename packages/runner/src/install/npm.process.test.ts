import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { openRegistry } from '@svc/conformance/testing/npm-registry'
import { verifies } from '@svc/conformance/verifies'
import { compareSemver } from '@svc/contract/semver'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { type InstallBed, openInstallBed, tinyPlugin, where } from '../testing/install.ts'
import { managers } from './managers.ts'

/** npm starts in about half a second, and a busy machine is slower. */
const NPM_MS = 180_000

/** Packages that need something from elsewhere than the registry. */
const elsewhere = {
  'needs-a-folder': 'file:/etc',
  'needs-a-file': 'file:/etc/hostname.tgz',
  'needs-a-url': 'http://127.0.0.1:9/needed.tgz',
  'needs-a-repository': 'git+file:///etc',
}

const { since = '' } = managers.npm
const isOld = compareSemver(execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(), since) < 0

let registry: Awaited<ReturnType<typeof openRegistry>>
let bed: InstallBed
let before: string[] = []
beforeAll(async () => {
  bed = openInstallBed()
  const bin = (version: string) => ({
    manifest: {
      name: 'tiny',
      version,
      bin: { tiny: 'cli.js', other: 'lib/other.js' },
      dependencies: { needed: '1.0.0' },
      scripts: scripts(['preinstall', 'install', 'postinstall', 'prepare']),
    },
    files: { 'cli.js': tinyPlugin(version), 'lib/other.js': tinyPlugin('other') },
  })
  registry = await openRegistry([
    bin('1.0.0'),
    bin('2.0.0'),
    {
      manifest: { name: 'needed', version: '1.0.0', scripts: scripts(['install', 'postinstall']) },
      files: { 'index.js': '' },
    },
    {
      manifest: { name: '@ada/one', version: '1.0.0', bin: './one', hasInstallScript: true },
      files: { one: `#!/usr/bin/env node\n${tinyPlugin('scoped')}`, 'binding.gyp': '{}' },
    },
    ...Object.entries(elsewhere).map(([name, needed]) => ({
      manifest: { name, version: '1.0.0', bin: 'cli.js', dependencies: { needed } },
      files: { 'cli.js': '' },
    })),
    { manifest: { name: 'library', version: '1.0.0' }, files: { 'index.js': '' } },
  ])
}, NPM_MS)
afterAll(async () => {
  await bed.close()
  await registry.close()
})
beforeEach(({ skip }) => {
  skip(isOld, 'the npm of this machine is older than those that the runner takes')
  vi.stubEnv('HOME', bed.folder)
  vi.stubEnv('SVC_SECRET', 'never seen')
  before = bed.left()
})
afterEach(() => vi.unstubAllEnvs())
/** What was installed in a test: what others installed stays, and is installed once. */
const added = () => bed.left().filter((name) => !before.includes(name))

/** Scripts that would leave a file in the home folder, which is the one of the test. */
function scripts(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, `env > "$HOME/ran-${name}"`]))
}

const npm = (package_name: string, more: { version?: string; executable_name?: string } = {}) =>
  bed.plugin({ type: 'npm', package_name, ...more })
const open = () => bed.open({ npmRegistry: registry.url })

verifies(
  ['plug.install.npm', 'plug.install.executable'],
  'the version that is named, or the newest; the executable that is named, or the one called like the package',
  async () => {
    const runner = open()
    expect((await where(runner, npm('tiny', { version: '1.0.0' }))).mark).toBe('1.0.0')
    expect((await where(runner, npm('tiny'))).mark).toBe('2.0.0')
    expect((await where(runner, npm('tiny', { executable_name: 'other' }))).mark).toBe('other')
    expect((await where(runner, npm('@ada/one'))).mark).toBe('scoped')
  },
  NPM_MS,
)

verifies(
  'plug.install.no_scripts',
  'neither a script of the package nor one of what it needs runs',
  async () => {
    const { file } = await where(open(), npm('tiny'))
    expect(existsSync(join(file, '../../needed/index.js'))).toBe(true)
    const ran = ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) =>
      existsSync(join(bed.folder, `ran-${name}`)),
    )
    expect(ran).toEqual([])
  },
  NPM_MS,
)

// npm itself refuses each in the same way: all are asked once a release.
verifies.each('plug.install.npm')(Object.keys(elsewhere).slice(0, rounds(4, 1)))(
  'what comes from elsewhere than the registry is refused: %s',
  async (name) => {
    expect(await open().install(npm(name))).toMatchObject({
      code: 'plug_unavailable',
      message: expect.stringMatching(/EALLOW(DIRECTORY|FILE|REMOTE|GIT)/),
    })
    expect(added()).toEqual([])
  },
  NPM_MS,
)

verifies(
  'plug.install.npm',
  'what is installed is started again without npm and without the network',
  async () => {
    const first = open()
    const { file } = await where(first, npm('tiny'))
    await first.close()
    const before = registry.asked.length
    vi.stubEnv('PATH', '')
    const second = bed.open({ npmRegistry: registry.url, isolator: 'plain' })
    expect((await where(second, npm('tiny'))).file).toBe(file)
    expect(registry.asked.length).toBe(before)
    expect(await second.install(npm('library'))).toMatchObject({
      message: expect.stringMatching(/npm is not on this machine$/),
    })
  },
  NPM_MS,
)

verifies(
  'plug.install.npm',
  'a package that is not there, has no such version or no executable is told by what npm says',
  async () => {
    const runner = open()
    const told = async (...of: Parameters<typeof npm>) => {
      const outcome = await runner.install(npm(...of))
      return outcome.ok ? 'installed' : [outcome.message, outcome.details?.hint ?? []].flat().join(' > ')
    }
    expect(await told('nowhere')).toMatch(
      /^tool-ada-tiny-1 could not be installed \(npm\): npm: it ended with exit code 1: .*E404.*nowhere/,
    )
    expect(await told('tiny', { version: '9.0.0' })).toMatch(/ETARGET.*tiny@9\.0\.0/)
    expect(await told('library')).toMatch(/it has no executable > Name one by executable_name\.$/)
    expect(await told('tiny', { executable_name: 'third' })).toMatch(
      /it has no executable third: it has other, tiny > Put executable_name right\.$/,
    )
    expect(added()).toEqual([])
  },
  NPM_MS,
)
