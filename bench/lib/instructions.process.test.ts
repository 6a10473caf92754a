import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { countedRefs } from '../instructions/valgrind.ts'
import { countedIn, countsInstructions, countWhile } from './instructions.ts'

describe('countedIn', () => {
  it.each([
    ['a count', '123456,,instructions:u,9000,100.00,,\n', 123_456],
    ['no count on this processor', '<not supported>,,instructions:u,0,100.00,,\n', null],
    ['nothing ran', '<not counted>,,instructions:u,0,0.00,,\n', null],
    [
      'two kinds of cores',
      '40,,cpu_core/instructions/u,1,50.00,,\n<not counted>,,cpu_atom/instructions/u,0,0.00,,\n',
      40,
    ],
    ['counts of both', '40,,cpu_core/instructions/u,1,5,,\n2,,cpu_atom/instructions/u,1,5,,\n', 42],
    ['other lines', 'Events disabled\n# started on …\n\n7,,instructions:u,1,100.00,,\nEvents enabled\n', 7],
    ['an error of perf', 'event syntax error\n', null],
    ['nothing', '', null],
  ])('%s', (_what, text, count) => {
    expect(countedIn(text)).toBe(count)
  })
})

describe('countedRefs', () => {
  it('reads the count that valgrind groups by commas', () => {
    expect(countedRefs('==1== Cachegrind\n==1== I   refs:      1,280,365,779\n')).toBe(1_280_365_779)
  })

  it('throws what valgrind printed instead', () => {
    expect(() => countedRefs('valgrind: cannot execute\n')).toThrow('valgrind: cannot execute')
  })
})

describe('perf', () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-perf-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const program = (name: string, text: string) => {
    const file = join(dir, name)
    writeFileSync(file, `#!${process.execPath}\n${text}`)
    chmodSync(file, 0o755)
    return file
  }
  /** Speaks as `perf stat` does: acknowledges what it reads from fd 3 on fd 4, prints to stderr when it is interrupted. */
  const perf = program(
    'perf',
    `const fs = require('node:fs')
    if (!process.argv.includes('-p')) { console.log('12,,instructions:u,1,100.00,,'); process.exit() }
    const pid = process.argv[process.argv.indexOf('-p') + 1]
    process.once('SIGINT', () => { fs.writeSync(2, pid + '00,,instructions:u,1,100.00,,\\n'); process.exit() })
    if (fs.readSync(3, Buffer.alloc(99)) > 0) fs.writeSync(4, 'ack\\n')
    setInterval(() => {}, 1000)`,
  )

  it.each([
    ['counts', perf, true],
    ['does not', program('none', `console.log('<not supported>,,instructions:u,0,100.00,,')`), false],
    ['is not there', join(dir, 'absent'), false],
  ])('%s', (_what, file, is) => {
    expect(countsInstructions(file)).toBe(is)
  })

  it('counts while the work runs, after it said that it does', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    try {
      expect(await countWhile(child.pid as number, async () => {}, perf)).toBe(Number(`${child.pid}00`))
    } finally {
      child.kill()
    }
  })
})
