import { execFileSync } from 'node:child_process'
import { openRegistry, type TestPackage } from '@svc/conformance/testing/npm-registry'
import { verifies } from '@svc/conformance/verifies'
import { compareSemver } from '@svc/contract/semver'
import { frozenClock } from '@svc/node/testing'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { RunnerOptions } from '../runner.ts'
import { openInstallBed, tinyPlugin, where } from '../testing/install.ts'
import { managers } from './managers.ts'

/** npm starts in about half a second, and a busy machine is slower. */
const NPM_MS = 60_000

const { since = '' } = managers.npm
const isOld = compareSemver(execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(), since) < 0

const tiny = (version: string, mark = version, more: Partial<TestPackage> = {}): TestPackage => ({
  manifest: { name: 'tiny', version, bin: 'cli.js', ...more.manifest },
  files: { 'cli.js': tinyPlugin(mark), ...more.files },
})

/** Two users, each with a machine and a home of their own. */
let beds: ReturnType<typeof openInstallBed>[] = []
beforeEach(({ skip }) => {
  skip(isOld, 'the npm of this machine is older than those that the runner takes')
  beds = []
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(beds.map((bed) => bed.close()))
})

function machine(npmRegistry: string, options: RunnerOptions = {}) {
  const bed = openInstallBed()
  beds.push(bed)
  vi.stubEnv('HOME', bed.folder)
  const runner = bed.open({ npmRegistry, ...options })
  const plugin = (version?: string, integrity?: string) =>
    bed.plugin({ type: 'npm', package_name: 'tiny', version, integrity })
  return { bed, runner, plugin }
}

verifies(
  'plug.install.integrity',
  'of two users the second gets what the first got, whatever was published in between',
  async () => {
    const registry = await openRegistry([])
    try {
      const integrity = registry.put(tiny('1.0.0'))
      const ada = machine(registry.url)
      expect((await where(ada.runner, ada.plugin('1.0.0', integrity))).mark).toBe('1.0.0')
      registry.put(tiny('1.0.1', 'pushed later'))
      const bob = machine(registry.url)
      expect((await where(bob.runner, bob.plugin('1.0.0', integrity))).mark).toBe('1.0.0')
      // An old snapshot names no version, and is installed as before.
      expect((await where(bob.runner, bob.plugin())).mark).toBe('pushed later')
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)

verifies(
  'plug.install.integrity',
  'other bytes under the same version are refused, and nothing of them is left',
  async () => {
    const registry = await openRegistry([])
    try {
      const integrity = registry.put(tiny('1.0.0'))
      const other = registry.put(tiny('1.0.0', 'replaced'))
      const { bed, runner, plugin } = machine(registry.url)
      const spec = plugin('1.0.0', integrity)
      expect(await runner.install(spec)).toEqual({
        ok: false,
        code: 'invalid_arg',
        message: `${spec.id} could not be installed (npm): the registry has tiny 1.0.0 with the integrity ${other}, and ${integrity} was published`,
        details: {
          distribution: 'npm',
          reason: 'integrity_differs',
          hint: 'If it was changed on purpose, publish a version that names the package as it is now.',
        },
      })
      expect(bed.left()).toEqual([])
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)

verifies.each('plug.install.shrinkwrap')([
  ['1.1.0', false],
  ['1.0.0', true],
])(
  'what it needs comes in %s where the package has a shrinkwrap: %s',
  async (needed, hasShrinkwrap) => {
    const registry = await openRegistry([
      { manifest: { name: 'needed', version: '1.0.0' }, files: { 'index.js': 'module.exports = "1.0.0"' } },
      { manifest: { name: 'needed', version: '1.1.0' }, files: { 'index.js': 'module.exports = "1.1.0"' } },
    ])
    const dependencies = { needed: '^1.0.0' }
    const lock = {
      name: 'tiny',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'tiny', version: '1.0.0', dependencies },
        'node_modules/needed': { version: '1.0.0' },
      },
    }
    try {
      const integrity = registry.put({
        manifest: { name: 'tiny', version: '1.0.0', bin: 'cli.js', dependencies },
        files: {
          'cli.js': tinyPlugin('MARK').replace('"MARK"', "require('needed')"),
          ...(hasShrinkwrap && { 'npm-shrinkwrap.json': JSON.stringify(lock) }),
        },
      })
      const { runner, plugin } = machine(registry.url)
      expect((await where(runner, plugin('1.0.0', integrity))).mark).toBe(needed)
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)

const FROZEN_AT = Date.parse('2026-01-01T00:00:00.000Z')
const needed = (version: string, time?: string): TestPackage => ({
  manifest: { name: 'needed', version },
  files: { 'index.js': `module.exports = "${version}"` },
  ...(time !== undefined && { time }),
})
const needing = tiny('1.0.0', 'MARK', {
  manifest: { name: 'tiny', version: '1.0.0', dependencies: { needed: '^1.0.0' } },
  files: { 'cli.js': tinyPlugin('MARK').replace('"MARK"', "require('needed')") },
})

verifies.each('plug.install.frozen')([
  ['what it needed then', FROZEN_AT, '1.0.0'],
  ['the newest where it is no frozen version', undefined, '1.2.0'],
  ['what its registry had within the slack', Date.parse('2026-02-02T00:00:00.000Z') - 60_000, '1.1.0'],
])(
  'a version gets %s',
  async (_, frozenAt, version) => {
    const registry = await openRegistry([
      needed('1.0.0'),
      needed('1.1.0', '2026-02-02T00:00:00.000Z'),
      needed('1.2.0', '2026-03-03T00:00:00.000Z'),
      needing,
    ])
    try {
      const { runner, plugin } = machine(registry.url)
      expect((await where(runner, { ...plugin('1.0.0'), frozenAt })).mark).toBe(version)
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)

verifies.each('plug.install.frozen')([-1, Number.NaN, 86_400_001, 8.64e15])(
  'a version that was frozen %d ms from now, or at no time, is refused',
  async (ms) => {
    const clock = frozenClock()
    const { runner, plugin } = machine('http://127.0.0.1:9', { clock })
    const frozenAt = ms > 0 ? clock.now() + ms : ms
    expect(await runner.install({ ...plugin('1.0.0'), frozenAt })).toMatchObject({
      code: 'plug_unavailable',
      message: expect.stringMatching(/frozen must be Unix ms from 0 to \d+, got (-|NaN|\d)/),
      details: { hint: expect.stringContaining('clocks') },
    })
  },
)

verifies.each('plug.install.frozen')([
  ['what needs others is refused', needing, false],
  ['what needs nothing is installed', tiny('1.0.0'), true],
])(
  'from a registry that tells no times %s',
  async (_, one, ok) => {
    const registry = await openRegistry([needed('1.0.0'), one], { times: false })
    try {
      const { bed, runner, plugin } = machine(registry.url)
      expect(await runner.install({ ...plugin('1.0.0'), frozenAt: FROZEN_AT })).toMatchObject(
        ok
          ? { ok }
          : {
              ok,
              code: 'plug_unavailable',
              message: expect.stringContaining('does not return publish times'),
              details: { hint: expect.stringContaining('npm-shrinkwrap.json') },
            },
      )
      expect(bed.left()).toHaveLength(ok ? 1 : 0)
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)

verifies(
  'plug.install.frozen',
  'a package that its registry got after that is refused',
  async () => {
    const registry = await openRegistry([{ ...tiny('1.0.0'), time: '2026-02-02T00:00:00.000Z' }])
    try {
      const { runner, plugin } = machine(registry.url)
      expect(await runner.install({ ...plugin('1.0.0'), frozenAt: FROZEN_AT })).toMatchObject({
        code: 'plug_unavailable',
        message: expect.stringContaining('No matching version found for tiny@1.0.0 with a date before'),
      })
    } finally {
      await registry.close()
    }
  },
  NPM_MS,
)
