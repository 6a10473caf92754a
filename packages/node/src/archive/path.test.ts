import { limits } from '@svc/contract/limits'
import { describe, expect, test } from 'vitest'
import { foldPath, pathProblem } from './path.ts'

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
