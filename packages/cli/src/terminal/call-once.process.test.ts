import { fileURLToPath } from 'node:url'
import { createRunner } from '@svc/runner'
import { afterAll, expect, it } from 'vitest'
import { callOnce, hintOf, type OnceOptions } from './call-once.ts'

const runner = createRunner()
afterAll(() => runner.close())

const faulty = fileURLToPath(new URL('../testing/faulty.mjs', import.meta.url))
const plugin = { id: 'faulty', version: '1', command: ['node', faulty] }
const call = (more: Partial<OnceOptions>) =>
  callOnce(runner, {
    plugin,
    tool: 'wait',
    args: { ms: 200 },
    kind: 'call',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...more,
  })

it('answers the output, and tells the progress on its way', async () => {
  const told: string[] = []
  const done = await call({ onProgress: ({ type, json }) => void told.push(`${type} ${json}`) })
  expect(done).toEqual({
    output: { ms: 200 },
    ms: expect.any(Number),
    progress: told.length,
    progress_dropped: 0,
  })
  expect(new Set(told)).toEqual(new Set(['progress {"waits":true}']))
})

it.each([
  ['a tool that there is not', { tool: 'gone' }, 'failed', 'plug_error', 'there is no such tool'],
  ['a call that takes too long', { args: { ms: 60_000 }, timeoutMs: 300 }, 'failed', 'tool_timeout', ''],
  [
    'a program that there is not',
    { plugin: { ...plugin, command: ['svc-no-such-program'] } },
    'failed',
    'plug_unavailable',
    'there is no program "svc-no-such-program"',
  ],
  [
    'arguments over the cap of a job',
    { kind: 'job' as const, args: { text: 'x'.repeat(65_536) } },
    'usage',
    undefined,
    '--args must be at most 65536 bytes of JSON for a job, got 65547',
  ],
])('fails by its code: %s', async (_, more, kind, code, sentence) => {
  await expect(call(more)).rejects.toMatchObject({ kind, code, message: expect.stringContaining(sentence) })
})

it.each([
  [{ code: 'plug_error', details: { code: -32_602 } }, 'check --tool and --args'],
  [{ code: 'plug_error', details: { exit_code: 1 } }, 'svc plug check'],
  [{ code: 'plug_unavailable', details: { hint: 'Flush.' } }, 'Flush.'],
] as const)('says what helps after %j', (outcome, hint) => {
  expect(hintOf({ ok: false, message: '', ...outcome })).toContain(hint)
})

it('is cancelled by its signal', async () => {
  const controller = new AbortController()
  const stopped = call({
    args: { ms: 60_000 },
    timeoutMs: 60_000,
    signal: controller.signal,
    onProgress: () => controller.abort('enough'),
  })
  await expect(stopped).rejects.toMatchObject({ kind: 'failed', code: 'cancelled' })
})
