import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oneByte, writeOneByte } from './one-byte.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'svc-one-byte-'))
beforeAll(() => {
  writeFileSync(path.join(folder, 'a.js'), '// 50 µs — or so\nexport const a = /[œー]/\n')
  writeFileSync(path.join(folder, 'a.d.ts'), '/** — */\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  [String.raw`/^[a-zæœđłħŋ]+$/.test('œuf\u0142')`, true],
  [String.raw`/^[ー]$/u.test('\u30fc')`, true],
  ["/^[😀😂]$/u.test('😂')", true],
  [String.raw`/^[😀😂]$/u.test('\ud83d')`, false],
  ["'50 µs — 😀' // …", '50 µs — 😀'],
  ['1 + 1 /* — */', 2],
  [String.raw`/\\é/.test('\\\u00e9')`, true],
  [String.raw`'\\é'`, '\\é'],
  [`\`\\\\—\${'\\\\é'}\\\\😀\``, '\\—\\é\\😀'],
])('%s says the same', (source, result) => {
  const written = oneByte(source, 'a.js')
  expect(written).toMatch(/^\p{ASCII}*$/u)
  expect(runInNewContext(written)).toEqual(result)
})

it.each([
  ['String.raw`µs`', 'a character beyond ASCII in a tagged template'],
  [`String.raw\`\${1} µs\``, 'a character beyond ASCII in a tagged template'],
  [String.raw`/\é/`, 'an escaped character beyond ASCII'],
  [String.raw`'\é'`, 'an escaped character beyond ASCII'],
  ["'a\\\u2028b'", 'an escaped character beyond ASCII'],
  ['`\\é`', 'an escaped character beyond ASCII'],
  ['`\\\\\\é`', 'an escaped character beyond ASCII'],
])('%s is refused, with its place', (source, what) => {
  const written = () => oneByte(`// —\nconst a = ${source}`, 'dist/a.js')
  expect(written).toThrow(`dist/a.js:2:11 has ${what}, which cannot be written in ASCII`)
})

it('writes scripts, and leaves what is not one', () => {
  writeOneByte(folder)
  expect(readFileSync(path.join(folder, 'a.js'), 'utf8')).toBe(
    '// 50 \\u00b5s \\u2014 or so\nexport const a = /[\\u0153\\u30fc]/\n',
  )
  expect(readFileSync(path.join(folder, 'a.d.ts'), 'utf8')).toBe('/** — */\n')
})
