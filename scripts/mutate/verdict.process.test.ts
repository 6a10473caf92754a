import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Survivor } from './survivors.ts'
import type { Tried } from './try-mutants.ts'
import { faultsOf } from './verdict.ts'

const FILE = 'packages/a/src/a.ts'
const LINE = 'if (a < b) return'
const texts = new Map([[FILE, `function f() {\n  ${LINE}\n}`]])

const mutants = (noticed: number, survived: number): Tried[] =>
  Array.from({ length: noticed + survived }, (_, at) => ({
    file: FILE,
    line: 2,
    code: LINE,
    change: '< → <=',
    survived: at >= noticed,
  }))
const listed = (more: Partial<Survivor> = {}): Survivor => ({
  file: FILE,
  code: LINE,
  change: '< → <=',
  reason: 'The two are never the same.',
  ...more,
})

it.each<[string, Tried[], Survivor[], RegExp | null]>([
  ['all were noticed', mutants(20, 0), [], null],
  ['nothing was tried', [], [], /^no mutant was tried/],
  ['one survived that is listed', mutants(19, 1), [listed()], null],
  ['one survived that is not', mutants(19, 1), [], /^1 survived that are not listed/],
  ['85 % were noticed', mutants(17, 3), [listed()], null],
  ['less were', mutants(16, 3), [listed()], /^84\.2 % were noticed, at least 85 % must be$/],
  ['one is listed that was noticed', mutants(20, 0), [listed()], /does not survive: take it out$/],
  ['its line is gone', mutants(20, 0), [listed({ code: 'if (a < c) return' })], /has no such line$/],
  ['a part of its line is there', mutants(20, 0), [listed({ code: 'if (a < b)' })], /has no such line$/],
  ['its file is no target', mutants(20, 0), [listed({ file: 'b.ts' })], /is no source of targets\.ts$/],
])('%s', (_name, tried, survivors, fault) => {
  const faults = faultsOf({ tried, sources: [FILE], texts }, survivors)
  expect(faults).toEqual(fault === null ? [] : [expect.stringMatching(fault)])
})

it('does not judge a survivor of a source that was not tried, but that its line is there', () => {
  const other = 'packages/a/src/b.ts'
  const both = new Map([...texts, [other, LINE]])
  const of = (code: string) =>
    faultsOf({ tried: mutants(20, 0), sources: [FILE], texts: both }, [listed({ file: other, code })])
  expect(of(LINE)).toEqual([])
  expect(of('return')).toHaveLength(1)
})

it('fails where the words of the command name no source', () => {
  const main = path.join(import.meta.dirname, 'main.ts')
  const { status, stdout } = spawnSync(process.execPath, [main, 'no-such-source'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, expect.stringContaining('✗ no mutant was tried')])
})
