import { expect, it } from 'vitest'
import type { Distribution } from './distribution.ts'
import { distributionText } from './distribution-text.ts'

const sha256 = '0'.repeat(64)
const at = (url: string) => ({ url, sha256 })

it.each<[Distribution, string]>([
  [{ type: 'local', path: '/opt/weather' }, 'the program "/opt/weather" on the machine that runs it'],
  [{ type: 'npm', package_name: '@sky/weather', version: '1.2.0' }, 'the npm package @sky/weather 1.2.0'],
  [{ type: 'npm', package_name: 'weather' }, 'the npm package weather in its newest version'],
  [{ type: 'uv', package_name: 'weather', version: '2' }, 'the Python package (uv) weather 2'],
  [{ type: 'pipx', package_name: 'weather', version: '2' }, 'the Python package (pipx) weather 2'],
  [{ type: 'homebrew', package_name: 'weather', version: '2' }, 'the Homebrew formula weather 2'],
  [
    {
      type: 'binary',
      executable_name: 'weather',
      urls: {
        'linux-x64': at('https://b.example/weather'),
        'linux-arm64': at('https://a.example/arm'),
        'darwin-x64': at('https://b.example/mac'),
      },
    },
    'a program downloaded from a.example and b.example',
  ],
])('%j in words: %s', (distribution, words) => {
  expect(distributionText(distribution)).toBe(words)
})
