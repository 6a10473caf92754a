import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { rounds } from '@svc/conformance/rounds'
import { measuredTurn, type TurnFigures } from '@svc/conformance/testing/turn-meter'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'

const MiB = 1_048_576
/** What a flood may add to the memory of the host. */
const GROWTH_MAX_BYTES = 64 * MiB
/**
 * For how long the host may keep a call waiting over a flood, in CPU time of its thread; collecting garbage included. Where
 * work that never changes takes longer than 3 ms, as long as this many of it.
 */
const TURN_MAX_MS = 50
const TURN_MAX_CONTROLS = 17
const ROUNDS = rounds(3, 1)
const PHASE_MS = 400

const node = (script: string) => ['node', '-e', script]
const line = (data: string) =>
  `{"jsonrpc":"2.0","method":"progress","params":{"id":"tjob_flood","type":"progress","data":${data}}}`
/** Writes a text again and again, many at a time. */
const again = (text: string) =>
  node(`
  const bytes = Buffer.from(${JSON.stringify(text)}.repeat(${Math.ceil(65_536 / text.length)}))
  for (;;) for (let at = 0; at < bytes.length; ) at += require('node:fs').writeSync(1, bytes, at)`)

verifies.each('wall.plugin.flood')([
  ['lines', ['yes', 'a line that is not a message']],
  ['empty lines', ['yes', '']],
  ['a pipe full of empty lines and ends, to begin anew,', ['sh', '-c', 'yes "" | head -n 130000']],
  ['messages that answer nobody', again(`{"level":30,"a":[${'[],'.repeat(30_000)}1]}\n`)],
  ['lines of log', ['sh', '-c', 'yes >&2']],
  ['a line of log without an end', ['sh', '-c', 'cat /dev/zero >&2']],
  ['progress', ['yes', line('1')]],
  ['progress of the largest size', again(`${line(JSON.stringify('x'.repeat(8_190)))}\n`)],
  ['progress that is too large', again(`${line(`[${'[],'.repeat(20_000)}1]`)}\n`)],
  ['a line without an end', ['cat', '/dev/zero']],
  ['an answer without an end', again('{"jsonrpc":"2.0","id":"tjob_flood","result":{"output":"')],
  ['requests of its own', ['yes', '{"jsonrpc":"2.0","id":1,"method":"llm/complete","params":{}}']],
])('a job that writes %s for ever costs little memory and starves no call', async (_, command) => {
  const host = new URL('./testing/flooded-host.ts', import.meta.url).pathname
  const args = [host, `${ROUNDS}`, `${PHASE_MS}`, JSON.stringify(command)]
  async function flooded(): Promise<TurnFigures> {
    const told = await promisify(execFile)(process.execPath, args)
    const { growth, ...figures } = JSON.parse(told.stdout) as TurnFigures & { readonly growth: number }
    expect(growth).toBeLessThan(GROWTH_MAX_BYTES)
    return figures
  }
  const { longestTurnMs, maxMs } = await measuredTurn(flooded, ({ controlMs }) =>
    Math.max(TURN_MAX_MS, TURN_MAX_CONTROLS * controlMs),
  )
  expect(longestTurnMs).toBeLessThan(maxMs)
})
