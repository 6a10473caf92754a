/** The pages of the repository that the site shows: where each file is, and which page of the site it is. */
const places: readonly (readonly [file: RegExp, page: string])[] = [
  [/^docs\/decisions\/README\.md$/, 'decisions/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
  [/^packages\/([\w-]+)\/README\.md$/, 'packages/$1.md'],
  [/^examples\/([\w-]+)\/README\.md$/, 'examples/$1.md'],
  [/^README\.md$/, 'overview.md'],
  [/^AGENTS\.md$/, 'map.md'],
  [/^CONTRIBUTING\.md$/, 'contributing.md'],
  [/^SECURITY\.md$/, 'security.md'],
]

/** Markdown that the site does not show, as globs from the root of the repository. */
export const hidden = [
  '.*/**',
  '**/CHANGELOG.md',
  'examples/*/data/**',
  'scripts/**',
  'packages/*/src/**',
  'bench/**',
]

/** Returns the page of the site that a file of the repository is, or null where it is none. */
export function pageOf(file: string): string | null {
  const [pattern, page] = places.find(([one]) => one.test(file)) ?? []
  return pattern && page ? file.replace(pattern, page) : null
}
