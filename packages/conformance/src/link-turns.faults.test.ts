import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@svc/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import { type HostProcess, startHostProcess } from './testing/host-process.ts'
import { answers } from './testing/json-shapes.ts'
import type { LinkHostAnswer } from './testing/link-host.ts'
import { measuredTurn } from './testing/turn-meter.ts'
import { verifies } from './verifies.ts'

const ROOM_BYTES = 400
const folder = mkdtempSync(join(tmpdir(), 'svc-turns-'))
const file = join(folder, 'answer.json')
let host: HostProcess
let asked = 0

beforeAll(async () => {
  host = startHostProcess('link-host.ts')
  await host.line('ready')
})
afterAll(async () => {
  host.tell('close\n')
  await host.ended
  rmSync(folder, { recursive: true })
})

verifies.each('pause.turn')(Object.entries(answers).filter(([name]) => name !== 'bytes that are not UTF-8'))(
  '%s from a machine of the user keep nobody waiting',
  async (_name, shape) => {
    writeFileSync(file, shape(limits.SYNC_PAYLOAD_MAX_BYTES - ROOM_BYTES))
    const { longestTurnMs, maxMs } = await measuredTurn(async () => {
      host.tell(`${file}\n`)
      asked += 1
      const answer: LinkHostAnswer = JSON.parse(await host.line(`answered-${asked}`))
      expect(answer.ok).toBe(true)
      return answer
    })
    expect(longestTurnMs).toBeLessThan(maxMs)
  },
)
