import { readFileSync } from 'node:fs'
import { slackMs } from '@svc/conformance/processes'
import { afterAll, describe, expect, it } from 'vitest'
import { leftAfter, openBed } from './testing/bed.ts'

interface Row {
  readonly tool: string
  readonly args?: Record<string, unknown>
  /** What the call ends with; `ok` or a code. */
  readonly ends: string
  readonly env?: Record<string, string>
  readonly timeoutMs?: number
  readonly maxResultBytes?: number
}

const R = '{"jsonrpc":"2.0","id":$ID,"result":{"output":"a'
const rest = 'b"}}\n'
const MiB = 1_048_576
const LINE_MAX = 16 * MiB

/** What the sentences of the corpus mean as deeds; a line that is not here is written as it stands, before a good reply. */
const deeds: Record<string, readonly Row[]> = {
  'R of call B sent while only call A is outstanding': [
    { tool: 'line', args: { line: '{"jsonrpc":"2.0","id":"inv_b","result":{"output":1}}' }, ends: 'ok' },
  ],
  'R split at every byte across writes with 1 ms pauses': [
    { tool: 'bytewise', args: { text: 'split' }, ends: 'ok' },
  ],
  'R containing raw U+2028/U+2029/U+0085 in a string': [
    { tool: 'raw', args: { text: `${R}$LS${rest}` }, ends: 'ok' },
  ],
  'R containing "\\u0000" and lone surrogate "\\ud800"': [
    { tool: 'raw', args: { text: `${R}\\u0000\\ud800${rest}` }, ends: 'ok' },
  ],
  'R with invalid UTF-8 bytes FF FE in a string': [{ tool: 'bytes', ends: 'plug_error' }],
  'R after a 3-byte char split across two chunks': [{ tool: 'bytewise', args: { text: '€€€' }, ends: 'ok' }],
  'R with 1,000,000-deep nesting': [{ tool: 'deep', args: { depth: 1_000_000 }, ends: 'plug_unavailable' }],
  'R of 4194304 bytes; 4194305 bytes; 16 MiB; 16 MiB + 1': [
    { tool: 'payload', args: { bytes: 4 * MiB }, ends: 'ok' },
    { tool: 'payload', args: { bytes: 4 * MiB + 1 }, ends: 'result_too_large' },
    { tool: 'sized', args: { bytes: LINE_MAX }, ends: 'ok', maxResultBytes: LINE_MAX },
    { tool: 'sized', args: { bytes: LINE_MAX }, ends: 'result_too_large' },
    { tool: 'sized', args: { bytes: LINE_MAX + 1 }, ends: 'frame_too_large' },
  ],
  'endless valid progress lines': [
    {
      tool: 'endless',
      args: { line: '{"jsonrpc":"2.0","method":"progress","params":{"id":$ID,"type":"progress","data":1}}' },
      ends: 'tool_timeout',
      timeoutMs: 1_000,
    },
  ],
  'endless blank lines': [{ tool: 'endless', args: { line: '' }, ends: 'tool_timeout', timeoutMs: 1_000 }],
  'progress after the final result': [{ tool: 'lateProgress', ends: 'ok' }],
  'progress with data 8192 B; 8193 B; 5 MB': [
    { tool: 'progress', args: { sizes: [8_192, 8_193, 5e6] }, ends: 'ok' },
  ],
  'reverse-RPC host/uploadFile with id equal to the host request id': [
    { tool: 'reverse', args: { method: 'host/uploadFile', count: 1, sameId: true }, ends: 'ok' },
  ],
  'reverse-RPC host/unknown': [{ tool: 'reverse', args: { method: 'host/unknown', count: 1 }, ends: 'ok' }],
  '10,000 concurrent reverse-RPCs': [
    { tool: 'reverse', args: { method: 'llm/complete', count: 10_000 }, ends: 'ok' },
  ],
  'writes nothing, ignores stdin': [
    { tool: 'echo', env: { AT_START: 'hang' }, ends: 'tool_timeout', timeoutMs: 300 },
  ],
  'closes stdin (EPIPE for the host)': [{ tool: 'deaf', ends: 'tool_timeout', timeoutMs: 300 }],
  'exit 0 before reading': [{ tool: 'echo', env: { AT_START: 'exit' }, ends: 'plug_error' }],
  SIGSEGV: [{ tool: 'crash', ends: 'plug_error' }],
  'fork bomb of 50 children': [{ tool: 'bomb', ends: 'tool_timeout', timeoutMs: 2_000 }],
  'double fork, parent exits': [
    { tool: 'doubleFork', args: { exit: true }, ends: 'plug_error' },
    { tool: 'doubleFork', args: { answer: true }, ends: 'ok' },
  ],
  'trap "" TERM INT HUP': [{ tool: 'stubborn', ends: 'tool_timeout', timeoutMs: 300 }],
  'stderr flood 1 GB': [{ tool: 'stderrFlood', args: { bytes: 1e9 }, ends: 'ok' }],
  'describe returns 10,000 tools / 50 MB / cyclic $ref / duplicate tool names / name "__proto__"': [],
}

const corpus = JSON.parse(
  readFileSync(new URL('../../conformance/corpora/stdio.json', import.meta.url), 'utf8'),
) as { lines: string[] }

const rows = corpus.lines.flatMap((line) =>
  (deeds[line] ?? [{ tool: 'line', args: { line }, ends: 'ok' }]).map((row): [string, Row] => [line, row]),
)

const bed = openBed()
const neighbour = openBed()
afterAll(() => Promise.all([bed.runner.close(), neighbour.runner.close()]))

/** For how long another plugin is waited for meanwhile. */
const BESIDE_MS = 1_000
/** The most that a plugin's output may add to the memory of the runner. */
const GROWTH_MAX_BYTES = 256 * MiB

describe('what a hostile plugin writes', () => {
  it.each(rows)('%s', async (_, { tool, args, ends, env, timeoutMs, maxResultBytes }) => {
    await neighbour.call('echo')
    const before = process.memoryUsage().rss
    const call = bed.call(tool, args, {
      userId: `${tool} ${JSON.stringify(args)}`,
      ...(env && { plugin: bed.plugin(env) }),
      ...(timeoutMs && { timeoutMs }),
      ...(maxResultBytes && { maxResultBytes }),
    })
    const beganAt = performance.now()
    const beside = await neighbour.call('echo', { beside: true })
    const besideMs = performance.now() - beganAt
    const outcome = await call
    expect(outcome.ok ? 'ok' : outcome.code).toBe(ends)
    expect(beside).toMatchObject({ ok: true, payload: { beside: true } })
    expect(besideMs).toBeLessThan(besideMs < BESIDE_MS ? BESIDE_MS : BESIDE_MS + (await slackMs()))
    expect(process.memoryUsage().rss - before).toBeLessThan(GROWTH_MAX_BYTES)
  })

  it('leaves no process behind', async () => {
    await bed.runner.close()
    expect(await leftAfter(bed.mark, 1_500)).toEqual([])
  })
})
