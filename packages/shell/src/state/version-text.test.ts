import { expect, it } from 'vitest'
import { versionText } from './version-text.ts'

it.each([
  ['1.2.0', '1.2.0', '1.2.0'],
  ['1.2.0', '1.3.0', '1.2.0'],
  ['0.0.0-draft', '1.2.0', 'draft'],
  ['0.0.0-draft', null, null],
])('of version %s, with %s as the newest release, shows %s', (version, latest_release, shown) => {
  expect(versionText({ version, latest_release })).toBe(shown)
})
