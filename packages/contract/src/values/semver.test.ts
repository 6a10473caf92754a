import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { bumpPatch, compareSemver, isSemver } from './semver.ts'

describe('a version', () => {
  verifies.each(['plug.version.semver', 'version.semver'])([
    '0.0.0',
    '1.2.3',
    '1.0.0-beta.1',
    '1.0.0+build.7',
    '10.20.30-0a+x',
  ])('%s is SemVer', (text) => expect(isSemver(text)).toBe(true))

  verifies.each(['plug.version.semver', 'version.semver'])([
    '',
    '1',
    '1.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-',
    '1.0.0-01',
    ' 1.0.0',
    '1.0.0\n',
  ])('%j is not', (text) => expect(isSemver(text)).toBe(false))

  // The chain of semver.org §11, and numbers that no double holds.
  const chain = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.9',
    '1.0.10',
    '9007199254740992.0.0',
    '9007199254740993.0.0',
  ]
  it('stands before every later one, and after every earlier one', () => {
    for (const [at, a] of chain.entries())
      for (const [other, b] of chain.entries())
        expect([a, b, Math.sign(compareSemver(a, b))]).toEqual([a, b, Math.sign(at - other)])
  })
  it('is not told apart by its build data', () => expect(compareSemver('1.0.0+a', '1.0.0+b')).toBe(0))

  it.each([
    ['1.2.3', '1.2.4'],
    ['1.2.9', '1.2.10'],
    ['1.2.3-beta.1', '1.2.3'],
    ['1.2.3+build', '1.2.4'],
    ['1.0.9007199254740992', '1.0.9007199254740993'],
  ])('%s is bumped to %s', (from, to) => expect(bumpPatch(from)).toBe(to))
})
