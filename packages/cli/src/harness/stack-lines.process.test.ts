import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStackLines, type WrittenError } from './stack-lines.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'svc-stack-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** What is found in what a program writes, line by line. */
function errorsOf(name: string, code: string, program: string): WrittenError[] {
  writeFileSync(path.join(dir, name), code)
  const { stderr } = spawnSync(program, [name], { cwd: dir, encoding: 'utf8' })
  const errors: WrittenError[] = []
  const take = openStackLines(dir, (error) => errors.push(error))
  for (const line of stderr.split('\n')) take(line)
  return errors
}

const node = process.execPath
it.each([
  [
    'an uncaught error of Node',
    ['plugin.mjs', "function open() {\n  throw new TypeError('no disk')\n}\nopen()\n", node],
    { message: 'TypeError: no disk', file: 'plugin.mjs', line: 2, column: null },
  ],
  [
    'an error that Node printed',
    ['plugin.mjs', "\nfunction open() {\n  return new RangeError('7')\n}\nconsole.error(open())\n", node],
    { message: 'RangeError: 7', file: 'plugin.mjs', line: 3, column: 10 },
  ],
  [
    'code that Node cannot read',
    ['plugin.mjs', 'const a = 1\nconst b = {{\n', node],
    { message: expect.stringMatching(/^SyntaxError: /), file: 'plugin.mjs', line: 2, column: null },
  ],
  [
    'an uncaught error of Python',
    ['plugin.py', "def open():\n    raise ValueError('no disk')\n\nopen()\n", 'python3'],
    { message: 'ValueError: no disk', file: 'plugin.py', line: 2, column: null },
  ],
  [
    'an error inside a module of Python',
    ['plugin.py', "import json\n\njson.loads('{')\n", 'python3'],
    { message: expect.stringMatching(/^json.*JSONDecodeError: /), file: 'plugin.py', line: 3, column: null },
  ],
  [
    'code that Python cannot read',
    ['plugin.py', 'a = 1\nb = (\n', 'python3'],
    { message: expect.stringMatching(/^SyntaxError: /), file: 'plugin.py', line: 2, column: null },
  ],
] as const)('finds %s and its place', (_, [name, code, program], error) => {
  expect(errorsOf(name, code, program)).toEqual([error])
})

it('finds nothing in ordinary lines', () => {
  expect(errorsOf('plugin.mjs', "console.error('read 3 rows without an error at 7')\n", node)).toEqual([])
})
