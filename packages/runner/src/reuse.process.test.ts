import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounds } from '@svc/conformance/rounds'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, vi } from 'vitest'
import { openBed } from './testing/bed.ts'
import { needsIsolator, someIsolators } from './testing/some-isolators.ts'

/** Each time two processes race. */
const TIMES = rounds(10, 2)

/** A plugin that writes down each of its starts, and takes no call any more from the second one on. */
const REFUSER = `
const { appendFileSync, existsSync, writeFileSync } = require('node:fs')
const folder = process.argv[1]
appendFileSync(folder + '/starts', 'x')
process.stdin.on('data', (line) => {
  const served = folder + '/served'
  const answer = existsSync(served)
    ? { error: { code: -32000, message: 'no', data: { name: 'not_taken' } } }
    : { result: { output: {} } }
  writeFileSync(served, '')
  console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, ...answer }))
})`

describe.each(someIsolators)('kept together by %s', (isolator) => {
  beforeEach(({ skip }) => needsIsolator(isolator, skip))
  const folder = mkdtempSync(join(tmpdir(), 'svc-reuse-'))
  const bed = openBed({ isolator }, { folders: [{ path: folder, access: 'write' }] })
  beforeAll(() => bed.call('echo'))
  afterAll(async () => {
    await bed.runner.close()
    rmSync(folder, { recursive: true })
  })

  verifies.each('stdio.reuse.ended')([
    ['exits after its answer', 'answerAndExit', {}],
    ['is killed right after its answer', 'answerAndDie', {}],
    ['closes its stdin before its answer', 'closeStdin', {}],
    ['closes its stdin after its answer', 'closeStdin', { ms: 0 }],
  ])('the call after one whose process %s is answered', async (_, tool, args) => {
    for (let time = 1; time <= TIMES; time++) {
      expect(await bed.call(tool, args)).toMatchObject({ ok: true })
      expect(await bed.call('echo', { time })).toMatchObject({ ok: true, payload: { time } })
    }
  })

  verifies('stdio.reuse.ended', 'a process that closes its stdin while it is idle is ended', async () => {
    const own = openBed({ isolator })
    expect(await own.call('closeStdin', { ms: 50 })).toMatchObject({ ok: true })
    expect(own.runner.stats().processes).toBe(1)
    await vi.waitFor(() => expect(own.runner.stats().processes).toBe(0), 10_000)
    expect(await own.call('echo')).toMatchObject({ ok: true })
    await own.runner.close()
  })

  verifies.each('stdio.reuse.ended')([
    ['ended in it', {}],
    ['ended with the answer to its request unread', { method: 'host/unknown', ms: 20 }],
  ])('a call that a warm process had read is not begun again: %s', async (name, args) => {
    const file = join(folder, name)
    await bed.call('echo', {}, { userId: name })
    const outcome = await bed.call('tally', { ...args, file }, { userId: name })
    expect(outcome).toMatchObject({ ok: false, code: 'plug_error', details: { exit_code: 4 } })
    expect(readFileSync(file, 'utf8')).toBe('x')
  })

  verifies('stdio.reuse.ended', 'a plugin that takes no call is not started for ever', async () => {
    const own = mkdtempSync(join(folder, 'refuser-'))
    const plugin = { ...bed.plugin(), command: ['node', '-e', REFUSER, own] }
    expect(await bed.call('any', {}, { plugin })).toMatchObject({ ok: true })
    expect(await bed.call('any', {}, { plugin })).toMatchObject({ ok: false, code: 'plug_error' })
    expect(readFileSync(join(own, 'starts'), 'utf8').length).toBeLessThanOrEqual(limits.POOL_PER_PLUGIN + 2)
  })

  verifies(
    'stdio.reuse.ended',
    'a process that closes its stdin at its start is not started for ever',
    async () => {
      const plugin = { ...bed.plugin(), command: ['sh', '-c', 'exec 0<&-; sleep 1000'] }
      const outcome = await bed.call('echo', {}, { plugin })
      expect(outcome).toMatchObject({ ok: false, code: 'plug_unavailable' })
      expect(!outcome.ok && outcome.message).toContain('it closed its stdin')
    },
  )
})
