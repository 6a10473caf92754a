import { expect, it } from 'vitest'
import { launcherVersion } from './install.ts'

it.each([
  ['1.2.0', '1.2.0', '1.2.0'],
  ['1.2.0', '1.3.0', '1.2.0'],
  ['0.0.0-draft', '1.2.0', 'draft'],
  ['0.0.0-draft', null, null],
])('of version %s, with %s as the newest release, shows %s', (version, latest_release, shown) => {
  expect(launcherVersion({ version, latest_release })).toBe(shown)
})
