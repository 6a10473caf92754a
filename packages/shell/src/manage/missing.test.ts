import { describe, expect, it } from 'vitest'
import { emptyDistribution } from '../state/distribution-form.ts'
import { emptyNewPlug, type NewPlug, type PlugFields } from '../state/plug-form.ts'
import { isExpired, missingOf, missingOfFields } from './missing.ts'

const NOW = Date.UTC(2026, 0, 1, 12)
const iso = (at: number) => new Date(at).toISOString()
const minted = (left: number): Partial<NewPlug> => ({
  draft: { draft_id: 'drf_1', tool_id: 'tool-ada-weather-1', expires_at: iso(NOW + left) },
})
const manifest = '{"name": "weather"}'
const from = (more: Partial<typeof emptyDistribution>) => ({ ...emptyDistribution, ...more })
const npm = from({ type: 'npm', package_name: 'weather' })
const sum = 'a'.repeat(64)

const plug = (more: Partial<NewPlug>, fields: Partial<PlugFields> = {}): NewPlug => ({
  ...emptyNewPlug,
  ...more,
  fields: { ...emptyNewPlug.fields, ...fields },
})
const namesOf = (one: NewPlug) => missingOf(one, isExpired(one, NOW)).map(({ field }) => field)

describe('what a plugin lacks before it can be created', () => {
  it.each<[string, NewPlug, string[]]>([
    ['an empty form', plug({}), ['name', 'mint', 'manifest', 'package_name']],
    ['one with a name', plug({}, { name: 'Weather', manifest, distribution: npm }), ['mint']],
    ['a name of spaces', plug(minted(1), { name: ' ', manifest, distribution: npm }), ['name']],
    ['one that is whole', plug(minted(1), { name: 'Weather', manifest, distribution: npm }), []],
    ['an id whose time is over', plug(minted(0), { name: 'Weather', manifest, distribution: npm }), ['mint']],
    [
      'a manifest that is no JSON',
      plug(minted(1), { name: 'W', manifest: '{', distribution: npm }),
      ['manifest'],
    ],
    [
      'a manifest without a name',
      plug(minted(1), { name: 'W', manifest: '{}', distribution: npm }),
      ['manifest'],
    ],
    ['a skill without README', plug({ type: 'skill', ...minted(1) }, { name: 'W' }), ['readme']],
    [
      'a skill that says something',
      plug({ type: 'skill', ...minted(1) }, { name: 'W', readme: 'How to' }),
      [],
    ],
    [
      'a skill with a manifest that cannot be read',
      plug({ type: 'skill', ...minted(1) }, { name: 'W', readme: 'How to', manifest: '[]' }),
      ['manifest'],
    ],
  ])('of %s', (_, one, fields) => expect(namesOf(one)).toEqual(fields))

  it('says of an expired id that another is to be minted', () => {
    expect(missingOf(plug(minted(-1)), true)).toContainEqual({
      field: 'mint',
      sentence: 'A tool id that has not expired: mint another',
    })
  })
})

describe('what a distribution lacks', () => {
  it.each<[string, Partial<typeof emptyDistribution>, string[]]>([
    ['npm', { type: 'npm' }, ['package_name']],
    ['uv', { type: 'uv' }, ['package_name']],
    ['pipx', { type: 'pipx' }, ['package_name']],
    ['homebrew', { type: 'homebrew' }, ['package_name']],
    ['homebrew with its formula', { type: 'homebrew', package_name: 'weather' }, []],
    ['local', { type: 'local' }, ['path']],
    ['local with what npm asks for', { type: 'local', package_name: 'weather' }, ['path']],
    ['local with a path', { type: 'local', path: '/opt/weather' }, []],
    ['binary', { type: 'binary' }, ['executable_name', 'binaries']],
    ['binary without platforms', { type: 'binary', executable_name: 'w', binaries: [] }, ['binaries']],
    [
      'binary with one platform bare',
      {
        type: 'binary',
        executable_name: 'w',
        binaries: [
          { platform: 'linux-x64', url: 'https://a.example/w', sha256: sum },
          { platform: 'darwin-x64', url: 'https://a.example/w', sha256: ' ' },
        ],
      },
      ['binaries'],
    ],
    [
      'binary that is whole',
      {
        type: 'binary',
        executable_name: 'w',
        binaries: [{ platform: 'linux-x64', url: 'https://a.example/w', sha256: sum }],
      },
      [],
    ],
  ])('%s', (_, more, fields) => {
    const typed = { ...emptyNewPlug.fields, name: 'W', manifest, distribution: from(more) }
    expect(missingOfFields('tool', typed).map(({ field }) => field)).toEqual(fields)
  })
})
