import type { Distribution } from '@svc/contract'
import { distributionSchema } from '@svc/contract'
import { describe, expect, it } from 'vitest'
import { emptyDistribution, missingFields, platforms, withBinary } from './distribution-form.ts'
import { distributionOf, formOf } from './read-distribution.ts'

const sha256 = 'a'.repeat(64)
const integrity = `sha512-${'a'.repeat(86)}==`

const whole: readonly Distribution[] = [
  { type: 'npm', package_name: '@ada/weather', version: '1.0.0', executable_name: 'weather' },
  { type: 'npm', package_name: 'weather', version: '1.0.0', integrity },
  { type: 'uv', package_name: 'weather', protocol: 'mcp', sampling: true },
  { type: 'pipx', package_name: 'weather' },
  { type: 'homebrew', package_name: 'ada/tap/weather' },
  { type: 'local', path: '/opt/weather.tgz', executable_name: 'weather' },
  {
    type: 'npm',
    package_name: 'weather',
    args: ['--city', '${CITY}'],
    env: { CITY: { default: 'Rome' }, LEVEL: 'low' },
    cwd: '${HOME}',
    start_ms: 20_000,
    session: 'window',
  },
  {
    type: 'binary',
    executable_name: 'weather',
    urls: {
      'linux-x64': { url: 'https://a.example/w', sha256 },
      'win32-x64': { url: 'https://a.example/v', sha256 },
    },
  },
]

describe('a distribution', () => {
  it.each(whole)('of $type is the same after it stood in the form, and is one of the contract', (one) => {
    const typed = distributionOf(formOf(one))
    expect(typed).toEqual(one)
    expect(distributionSchema.parse(typed)).toEqual(one)
  })

  it('leaves out what its type does not ask for, and what is empty', () => {
    const form = {
      ...emptyDistribution,
      type: 'local',
      path: ' /opt/w ',
      package_name: 'weather',
      integrity,
      sampling: true,
    } as const
    expect(distributionOf(form)).toEqual({ type: 'local', path: '/opt/w' })
  })

  it.each(['{', '[]', '7', 'null'])('says that %j is not what it needs to run', (needs) => {
    const form = { ...emptyDistribution, package_name: 'weather', needs }
    expect(missingFields(form)).toEqual([
      { field: 'needs', sentence: 'What it needs to run, as a JSON object' },
    ])
    expect(distributionOf(form)).toEqual({ type: 'npm', package_name: 'weather' })
  })

  it('takes a sum in capitals', () => {
    const binaries = [{ platform: 'linux-x64', url: 'https://a.example/w', sha256: ' ABC ' }]
    expect(distributionOf({ ...emptyDistribution, type: 'binary', binaries })).toMatchObject({
      urls: { 'linux-x64': { sha256: 'abc' } },
    })
  })

  it('adds platforms until there is none left', () => {
    let form = emptyDistribution
    for (let at = 0; at < 9; at++) form = { ...form, binaries: withBinary(form) }
    expect(form.binaries.map(({ platform }) => platform)).toEqual(platforms)
  })

  it('of a skill is the empty form', () => expect(formOf(null)).toEqual(emptyDistribution))
})
