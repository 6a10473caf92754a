import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../port/log.ts'
import type { PluginSpec } from '../port/runner.ts'
import { createRunner } from '../runner.ts'
import { hintFor, type IsolationOption, isolate } from './isolate.ts'
import { bestIsolator, problemOf } from './probes.ts'

const own: PluginSpec = { id: 'tool-own', version: '1.0.0', command: ['node', '-e', ''] }
const published: PluginSpec = {
  id: 'tool-published',
  version: '1.0.0',
  distribution: { type: 'npm', package_name: 'nothing' },
}

describe('on a machine without bubblewrap', () => {
  const { PATH } = process.env
  const empty = mkdtempSync(join(tmpdir(), 'svc-no-walls-'))
  beforeAll(() => {
    mkdirSync(join(empty, 'bin'))
    process.env.PATH = join(empty, 'bin')
  })
  afterAll(() => {
    process.env.PATH = PATH
    rmSync(empty, { recursive: true })
  })

  it('says what is missing, and what helps', () => {
    const probed = isolate(undefined, limits.ISOLATION_PROBE_MS)
    expect(probed).toMatchObject({ option: 'auto', walls: false })
    expect(probed.problem).toMatch(
      /^this machine cannot isolate plugins: bubblewrap does not work \(.*ENOENT.*\)$/,
    )
    expect(probed.hint).toMatch(
      /^Install bubblewrap: .* To run them without isolation anyway: isolation "none"\.$/,
    )
  })

  const cases: [IsolationOption, string, PluginSpec, boolean][] = [
    ['auto', 'one of the operator', own, false],
    ['auto', 'a published one', published, true],
    ['required', 'one of the operator', own, true],
    ['required', 'a published one', published, true],
    ['none', 'one of the operator', own, false],
    ['none', 'a published one', published, false],
  ]
  verifies.each('wall.plugin.required')(cases)(
    'isolation %s, %s',
    async (isolation, _, plugin, isRefused) => {
      const runner = createRunner({ isolation })
      expect(runner.isolation.walls).toBe(false)
      const outcome = await runner.describe(plugin)
      // No case starts anything that lives.
      if (outcome.ok) throw new Error('it was described')
      expect(outcome.message.includes('is not started')).toBe(isRefused)
      expect(outcome.message.includes('With isolation "auto" it would start')).toBe(
        isRefused && plugin === own,
      )
      expect(outcome).toMatchObject(
        isRefused
          ? { code: 'plug_unavailable', details: { hint: expect.stringContaining('isolation "none"') } }
          : {},
      )
      await runner.close()
    },
  )

  verifies.each('runner.unwalled')<[IsolationOption, string[]]>([
    ['auto', ['1.0.0', '1.1.0']],
    ['none', []],
    ['required', []],
  ])('isolation %s warns once of a version that starts without walls', async (isolation, versions) => {
    const event = 'plugin_without_walls'
    const warned: object[] = []
    const log = { ...silentLog, warn: (fields: object) => void warned.push(fields) }
    const runner = createRunner({ isolation, log })
    const distribution = { type: 'local', path: join(empty, 'nothing.mjs') } as const
    for (const version of ['1.0.0', '1.1.0', '1.0.0', '1.1.0'])
      await runner.describe({ id: 'tool-local', version, distribution })
    expect(warned.filter((fields) => 'event' in fields && fields.event === event)).toEqual(
      versions.map((version) => ({ event, plugin: 'tool-local', version })),
    )
    await runner.close()
  })
})

it.each([
  ['spawnSync bwrap ENOENT', 'Install bubblewrap'],
  ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'AppArmor'],
  ['bwrap: setting up uid map: Permission denied', 'AppArmor'],
  ['bwrap: No permissions to create new namespace', 'Docker'],
  ['bwrap: pivot_root: Operation not permitted', 'Docker'],
  ['something else', 'Try `bwrap'],
])('%s: %s', (said, hint) => expect(hintFor(said)).toContain(hint))

it('that is switched off has no problem but that', () => {
  const isolator = bestIsolator(limits.ISOLATION_PROBE_MS)
  const problem = 'isolation is switched off'
  expect(isolate('none', limits.ISOLATION_PROBE_MS)).toEqual({
    option: 'none',
    isolator,
    walls: false,
    problem,
    hint: null,
  })
})

it.for([['auto'], ['required']] as const)(
  'is there on a machine with bubblewrap: %s',
  ([option], { skip }) => {
    const problem = problemOf('bubblewrap', limits.ISOLATION_PROBE_MS)
    skip(problem !== null, `bubblewrap: ${problem}; npm run tools`)
    expect(isolate(option, limits.ISOLATION_PROBE_MS)).toEqual({
      option,
      isolator: 'bubblewrap',
      walls: true,
      problem: null,
      hint: null,
    })
  },
)

describe('on a system without namespaces', () => {
  const { platform } = process
  afterEach(() => void Object.defineProperty(process, 'platform', { value: platform }))

  it.each([
    ['darwin', 'macOS has no isolation that svc can use'],
    ['win32', 'Windows has no isolation that svc can use'],
  ])('%s', (value, problem) => {
    Object.defineProperty(process, 'platform', { value })
    expect(isolate('auto', limits.ISOLATION_PROBE_MS)).toMatchObject({
      option: 'auto',
      walls: false,
      problem,
      hint: expect.stringContaining('on a Linux machine'),
    })
  })
})
