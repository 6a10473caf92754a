import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { describe, expect, test } from 'vitest'
import { diskNameProblem, foldPath, pathProblem } from './path.ts'

describe('pathProblem', () => {
  test.each([
    'index.html',
    'assets/deep/er/app-1a2b.js',
    'with space.txt',
    'Ünïcödé/日本語.png',
    '.well-known/x',
    '..hidden',
    'a/...',
    '__proto__',
    'con',
    'x'.repeat(limits.ARCHIVE_NAME_MAX_BYTES),
    Array(limits.ARCHIVE_DEPTH_MAX).fill('d').join('/'),
  ])('takes %j', (path) => expect(pathProblem(path, limits)).toBeNull())

  test.each([
    ['', 'must not be empty'],
    ['..', 'must not have an empty part, "." or ".."'],
    ['../out.txt', 'must not have an empty part, "." or ".."'],
    ['a/../../out.txt', 'must not have an empty part, "." or ".."'],
    ['a//b', 'must not have an empty part, "." or ".."'],
    ['./a', 'must not have an empty part, "." or ".."'],
    ['a/', 'must not have an empty part, "." or ".."'],
    ['/etc/passwd', 'must be relative'],
    ['C:/win.txt', 'must not begin with a drive letter'],
    ['c:win.txt', 'must not begin with a drive letter'],
    ['C:\\win.txt', 'must not have a backslash'],
    ['..\\win.txt', 'must not have a backslash'],
    ['\\\\server\\share', 'must not have a backslash'],
    ['ok\0.txt', 'must not have a control character'],
    ['a\nb', 'must not have a control character'],
    ['a\x7fb', 'must not have a control character'],
    ['a\u202egpj.exe', 'must not have a control character'],
    ['a\ud800b', 'must not have a control character'],
    ['x'.repeat(limits.ARCHIVE_NAME_MAX_BYTES + 1), 'must have at most 255 bytes'],
    ['ä'.repeat(128), 'must have at most 255 bytes'],
    [
      Array(limits.ARCHIVE_DEPTH_MAX + 1)
        .fill('d')
        .join('/'),
      'must be at most 32 levels deep',
    ],
  ])('refuses %j: %s', (path, says) => expect(pathProblem(path, limits)).toBe(says))
})

test.each([
  ['README', 'readme'],
  ['caf\u00e9', 'cafe\u0301'],
  ['Stra\u00dfe', 'STRASSE'],
  ['\u212a', 'k'],
])('foldPath makes %j and %j one name', (a, b) => expect(foldPath(a)).toBe(foldPath(b)))

verifies.each('platforms.names')([
  ['con', 'win32', 'has a name that Windows keeps for a device'],
  ['a/NUL.txt', 'win32', 'has a name that Windows keeps for a device'],
  ['com1.tar.gz', 'win32', 'has a name that Windows keeps for a device'],
  ['LPT\u00b2', 'win32', 'has a name that Windows keeps for a device'],
  ['a./b', 'win32', 'has a name that ends in a full stop or a space, which Windows drops'],
  ['a ', 'win32', 'has a name that ends in a full stop or a space, which Windows drops'],
  ['a:b', 'win32', 'has a character that names have not on Windows'],
  ['a/what?.js', 'win32', 'has a character that names have not on Windows'],
  ['console/com10/auxiliary.js', 'win32', null],
  ['.hidden/a.b', 'win32', null],
  ['con', 'linux', null],
  ['a:b. ', 'darwin', null],
] as const)('%j on %s: %s', (path, platform, says) => {
  expect(diskNameProblem(path, platform)).toBe(says)
})
