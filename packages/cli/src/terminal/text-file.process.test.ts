import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { limits } from '@svc/contract/limits'
import { afterAll, expect, it } from 'vitest'
import { readJsonFile } from './text-file.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'svc-text-file-'))
afterAll(() => rmSync(dir, { recursive: true }))
const at = (name: string) => path.join(dir, name)
mkdirSync(at('folder'))
symlinkSync('loop', at('loop'))
for (const [name, content] of [
  ['plain', '{"a": "ä"}'],
  ['marked', '\ufeff{"a": "ä"}'],
  ['comment', '{\r\n  "a": 1, // b\r\n}'],
] as const)
  writeFileSync(at(name), content)
writeFileSync(at('wide'), '\ufeff{"a": "ä"}', 'utf16le')
writeFileSync(at('large'), '')
truncateSync(at('large'), limits.TEXT_FILE_MAX_BYTES + 1)

it.each(['plain', 'marked', 'wide'])('reads a file that is %s', (name) => {
  expect(readJsonFile(at(name))).toEqual({ a: 'ä' })
})

it.each([
  ['gone', 'is not there'],
  ['plain/below', 'is not there: a part of its path is a file'],
  ['folder', 'is a folder; name a file in it'],
  ['loop', 'is a link that leads to itself'],
  ['large', 'has more than 16777216 bytes, which is the most for such a file'],
])('refuses %s', (name, why) => {
  expect(() => readJsonFile(at(name))).toThrow(`${at(name)} ${why}`)
})

it('says where a file is not JSON', () => {
  expect(() => readJsonFile(at('comment'))).toThrow(`${at('comment')}:2:11 has a comment; JSON has none`)
})

it.skipIf(process.platform === 'win32')('reads a pipe, which has no size', () => {
  const script = `import {readTextFile} from '${path.join(import.meta.dirname, 'text-file.ts')}'; console.log(readTextFile('/dev/stdin').length)`
  const shell = `head -c 200000 /dev/zero | tr '\\0' x | "$0" --input-type=module -e "$1"`
  expect(String(execFileSync('sh', ['-c', shell, process.execPath, script])).trim()).toBe('200000')
})
