import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultOf } from '../lib/result.ts'
import { readRun, runNames, writeRun } from './files.ts'
import { runTable } from './print.ts'
import { type Run, runName } from './run.ts'

const run = (name: string, given: Partial<Run> = {}): Run => ({
  name,
  startedAt: '2026-11-26T13:54:23.000Z',
  commit: '05f94858',
  isClean: true,
  machine: {
    cores: 2,
    model: 'x',
    memoryBytes: 8e9,
    node: 'v24',
    platform: 'linux x64',
    countsInstructions: false,
  },
  load: { start: 0.25, end: 1 },
  measurements: ['sizes'],
  results: [resultOf({ title: 'bytes', unit: 'B', better: 'less', noise: 0, figures: { sdk: 7 } })],
  ...given,
})

describe('the files of runs', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-runs-'))
  const bad = (text: string) => {
    const file = join(dir, 'bad.txt')
    writeFileSync(file, text)
    return file
  }
  beforeAll(async () => {
    for (const name of ['20261126-135423-aaaaaaaa', '20261126-140000-bbbbbbbb', '20261127-090000-bbbbbbbb'])
      await writeRun(run(name), dir)
  })
  afterAll(() => rmSync(dir, { recursive: true }))

  it('are listed oldest first, and none where there is no folder', async () => {
    expect(await runNames(dir)).toHaveLength(3)
    expect(await runNames(join(dir, 'absent'))).toEqual([])
  })

  it.each([
    ['last', '20261127-090000-bbbbbbbb'],
    ['last~0', '20261127-090000-bbbbbbbb'],
    ['last~2', '20261126-135423-aaaaaaaa'],
    ['20261127', '20261127-090000-bbbbbbbb'],
    [join(dir, '20261126-140000-bbbbbbbb.json'), '20261126-140000-bbbbbbbb'],
  ])('%s is one of them', async (word, name) => {
    expect(await readRun(word, dir)).toEqual(run(name))
  })

  it.each([
    ['last~3', 'there is no run last~3: there are 3'],
    ['nothing', 'there is no run nothing: the name of no run begins with it'],
    ['20261126', '20261126-135423-aaaaaaaa and 20261126-140000-bbbbbbbb begin with it'],
    ['./absent.json', './absent.json cannot be read: ENOENT'],
  ])('%s is none', async (word, sentence) => {
    await expect(readRun(word, dir)).rejects.toThrow(sentence)
  })

  it.each([
    ['{', 'it is not JSON'],
    ['7', 'it is not an object'],
    ['{}', 'it has no `name`'],
    ['{"name":"a"}', 'it has no `machine`'],
    ['{"name":"a","machine":null}', 'it has no `machine`'],
    ['{"name":"a","machine":{}}', 'it has no list of `results`'],
    ['{"name":"a","machine":{},"results":[{"title":"t"}]}', 'results[0] has no `title`, `noise` or `rows`'],
  ])('a file with %s is refused', async (text, sentence) => {
    await expect(readRun(bad(text), dir)).rejects.toThrow(`is not the file of a run: ${sentence}`)
  })
})

it('names a run by time and commit', () => {
  expect(runName('2026-11-26T13:54:23.120Z', '05f94858')).toBe('20261126-135423-05f94858')
})

it('shows runs as a table, with what does not count', () => {
  const [result] = run('a').results
  const lines = runTable([
    run('a'),
    run('b', { isClean: false, results: [{ ...(result as Run['results'][0]), counts: false }] }),
  ]).split('\n')
  expect(lines).toEqual([
    'run  commit                machine                   results                             measurements',
    'a    05f94858              2 cores, load 0.3 to 1.0  1 table                             sizes',
    'b    05f94858 and changes  2 cores, load 0.3 to 1.0  1 table, 1 of which does not count  sizes',
  ])
})
