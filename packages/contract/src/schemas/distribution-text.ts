import { quoted } from '../values/visible-text.ts'
import type { Distribution } from './distribution.ts'

const managers = {
  npm: 'npm package',
  uv: 'Python package (uv)',
  pipx: 'Python package (pipx)',
  homebrew: 'Homebrew formula',
} as const

/** Returns where a plugin comes from in words: "the npm package weather-tool 1.2.0". */
export function distributionText(distribution: Distribution): string {
  const { type } = distribution
  if (type === 'local') return `the program ${quoted(distribution.path)} on the machine that runs it`
  if (type === 'binary') return `a program downloaded from ${hostsOf(distribution.urls).join(' and ')}`
  const { package_name, version } = distribution
  return `the ${managers[type]} ${package_name} ${version ?? 'in its newest version'}`
}

/** Each host once; a text that is not a URL is quoted. */
function hostsOf(urls: Readonly<Record<string, { readonly url: string }>>): string[] {
  const hosts = Object.values(urls).map(({ url }) => (URL.canParse(url) ? new URL(url).host : quoted(url)))
  return [...new Set(hosts)].sort()
}
