import { expect, it } from 'vitest'
import type { Distribution } from './distribution.ts'
import { isFloating } from './exact-version.ts'

const package_name = 'weather'

it.each<[Distribution, boolean]>([
  [{ type: 'npm', package_name }, true],
  [{ type: 'npm', package_name, version: 'latest' }, true],
  [{ type: 'npm', package_name, version: '1' }, true],
  [{ type: 'npm', package_name, version: '1.2' }, true],
  [{ type: 'npm', package_name, version: '1.x' }, true],
  [{ type: 'npm', package_name, version: '1.2.3' }, false],
  [{ type: 'npm', package_name, version: '2.0.0-beta.1' }, false],
  [{ type: 'uv', package_name }, true],
  [{ type: 'uv', package_name, version: 'latest' }, true],
  [{ type: 'uv', package_name, version: '1.x' }, true],
  [{ type: 'uv', package_name, version: '2024.1' }, false],
  [{ type: 'pipx', package_name }, true],
  [{ type: 'pipx', package_name, version: '1.0rc1' }, false],
  [{ type: 'homebrew', package_name }, false],
  [{ type: 'local', path: '/opt/weather' }, false],
])('%j floats: %s', (distribution, floats) => expect(isFloating(distribution)).toBe(floats))
