import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { describe, expect, it, vi } from 'vitest'
import { silentLog } from '../port/log.ts'
import { openBed as openProcesses } from '../testing/bed.ts'
import { openTalk } from './talk.ts'

/** A talk over no process: lines come in by hand. */
function openBed() {
  const noise: (string | null)[] = []
  const talk = openTalk({ plugin: 'notes', soon: () => {}, limits, onNoise: (text) => noise.push(text) })
  return { talk, noise, say: (line: string) => talk.onLine(Buffer.from(line)) }
}

const deep = '['.repeat(1_500)
const closed = ']'.repeat(1_500)

describe('a line that nests too deep', () => {
  it.each([
    ['brackets and text', `${deep} a banner`],
    ['an object that is not a message', `{"a":${deep}${closed}}`],
    ['text that names the id', `"id":"asked","result":${deep}`],
  ])('is noise where it is %s, and the answer still counts', async (_, line) => {
    const { talk, noise, say } = openBed()
    const answer = talk.ask('asked', '')
    say(line)
    say('{"jsonrpc":"2.0","id":"asked","result":{"output":1}}')
    expect(await answer).toMatchObject({ kind: 'payload', read: { payload: 1 } })
    expect(noise).toHaveLength(1)
    expect(talk.usable).toBe(true)
  })

  it.each([
    ['progress', `{"jsonrpc":"2.0","method":"progress","params":{"id":"asked","data":${deep}${closed}}}`, 1],
    ['a request of its own', `{"id":"asked","method":"host/x","params":${deep}${closed}}`, 0],
    ['a request that shows a result', `{"id":"asked","result":${deep}${closed},"method":"host/x"}`, 0],
  ])('ends nothing and is not noise where it is %s', async (_, line, dropped) => {
    const { talk, noise, say } = openBed()
    const told: number[] = []
    const progress = { take() {}, drop: () => void told.push(1) }
    const answer = talk.ask('asked', '', progress)
    say(line)
    say('{"jsonrpc":"2.0","id":"asked","result":{"output":1}}')
    expect(await answer).toMatchObject({ kind: 'payload', read: { payload: 1 } })
    expect([noise, told.length, talk.usable]).toEqual([[], dropped, true])
  })

  it.each([
    `{"jsonrpc":"2.0","id":"asked","result":{"output":${deep}${closed}}}`,
    `  { "id" : "asked" , "result" : ${deep}${closed} }`,
    `{"id":"asked","jsonrpc":"2.0","error":{"data":${deep}${closed}}}`,
    `{"result":{"output":${deep}${closed}},"id":"asked"}`,
    `{"result":{"output":["}],",${deep}${closed}]},"jsonrpc":"2.0","id" : "asked" }`,
  ])('ends the call where it is its answer: %.40s', async (line) => {
    const { talk, say } = openBed()
    const answer = talk.ask('asked', '')
    say(line)
    expect(await answer).toEqual({ kind: 'too_deep' })
    expect(talk.usable).toBe(false)
  })

  it('spoils the process where it begins as an answer to somebody else', async () => {
    const { talk, say } = openBed()
    const answer = talk.ask('1', '')
    say(`{"id":1,"result":{"output":${deep}${closed}}}`)
    say('{"id":"1","result":{"output":2}}')
    expect(await answer).toMatchObject({ kind: 'payload', read: { payload: 2 } })
    expect(talk.usable).toBe(false)
  })
})

describe('a line that is too long for progress', () => {
  const long = JSON.stringify('x'.repeat(60_000))

  it.each([
    ['the answer', `{"result":{"output":${long}},"id":"asked"}`, 'long', []],
    ['progress', `{"method":"progress","params":{"id":"asked","data":${long}}}`, 'payload', ['dropped']],
    ['an answer to another', `{"result":${long},"id":"other"}`, 'payload', [null]],
    ['a message', `{"level":${long}}`, 'payload', [null]],
    ['no JSON at all', `{${long}`, 'payload', [null]],
    ['text', `debug ${long}`, 'payload', ['debug']],
  ])('is told apart where it is %s', async (_, line, kind, told) => {
    const heard: (string | null)[] = []
    const talk = openTalk({
      plugin: 'notes',
      soon: () => {},
      limits,
      onNoise: (text) => heard.push(text === null ? null : text.slice(0, 5)),
    })
    const answer = talk.ask('asked', '', { take() {}, drop: () => void heard.push('dropped') })
    talk.onLine(Buffer.from(line))
    talk.onLine(Buffer.from('{"jsonrpc":"2.0","id":"asked","result":{"output":1}}'))
    expect(await answer).toMatchObject({ kind })
    expect(heard.slice(0, told.length)).toEqual(told)
  })

  it.each([
    ['the answer', '{"jsonrpc":"2.0","id":"asked","result":{"output":"xx', 'too_large'],
    ['an error', '{"id":"asked","error":{"code":1,"message":"xx', 'too_large'],
    ['an answer whose id is out of sight', '{"result":{"output":"xx', 'too_large'],
    ['an answer to another', '{"id":"other","result":{"output":"xx', 'payload'],
    ['progress', '{"jsonrpc":"2.0","method":"progress","params":{"data":"xx', 'payload'],
    ['a request', '{"id":"asked","method":"host/x","params":"xx', 'payload'],
    ['text', 'debug xx', 'payload'],
  ])('is told by its beginning where only that was kept: %s', async (_, start, kind) => {
    const { talk, say } = openBed()
    const answer = talk.ask('asked', '')
    talk.onPiece(Buffer.from(start))
    talk.onEnd([Buffer.from(start)], 1_000_000)
    say('{"jsonrpc":"2.0","id":"asked","result":{"output":1}}')
    expect(await answer).toMatchObject(kind === 'too_large' ? { kind, bytes: 1_000_000 } : { kind })
  })
})

describe('what nobody waits for', () => {
  verifies.each(['decision.lines.id_type', 'decision.lines.unknown_id'])([
    ['1', '1'],
    ['1', '"01"'],
    ['1', 'null'],
    ['1', '["1"]'],
    ['null', 'null'],
    ['asked', '"other"'],
  ])('to %j an answer with the id %s is none, and spoils the process', async (asked, id) => {
    const { talk, noise, say } = openBed()
    const answer = talk.ask(asked, '')
    say(`{"jsonrpc":"2.0","id":${id},"result":{"output":"wrong"}}`)
    say(`{"id":${id},"error":{"code":1}}`)
    say(`{"jsonrpc":"2.0","id":${JSON.stringify(asked)},"result":{"output":"right"}}`)
    expect(await answer).toMatchObject({ kind: 'payload', read: { payload: 'right' } })
    expect(noise).toEqual([null, null])
    expect(talk.usable).toBe(false)
  })

  verifies('decision.lines.backpressure', 'is not read while it comes faster than it is worth', async () => {
    const limits = { NOISE_BURST_LINES: 10, NOISE_REST_MS: 3_000 }
    const bed = openProcesses({ limits })
    const call = bed.call('endless', { line: 'noise' }, { timeoutMs: 2_000 })
    await vi.waitFor(() => expect(bed.runner.stats().noise).toBeGreaterThan(0), 10_000)
    const before = bed.runner.stats().noise
    for (const at of [1, 2, 3]) await bed.call('echo', { at }, { userId: 'bob' })
    expect(bed.runner.stats().noise).toBe(before)
    expect(await call).toMatchObject({ ok: false, code: 'tool_timeout' })
    await bed.runner.close()
  })

  it.each([
    ['a banner', 'debug: hello', 'debug: hello'],
    ['an answer to another id', '{"id":"other","result":{"output":"secret"}}', null],
    ['an object that is not a message', '{"level":30,"msg":"secret"}', null],
    ['an answer that nests too deep', `{"id":"other","result":{"output":["secret",${deep}${closed}]}}`, null],
  ])('tells of %s no payload', (_, line, told) => {
    const { noise, say } = openBed()
    say(line)
    expect(noise).toEqual([told])
  })

  it.each(['late', 'aborted'] as const)(
    'is not noise where it is the one reply to a request that was given up: %s',
    async (kind) => {
      const replies = [
        '{"jsonrpc":"2.0","id":"asked","result":{"success":false,"error":"cancelled"}}',
        '{"id":"asked","error":{"code":-32000}}',
        `{"id":"asked","result":${JSON.stringify('x'.repeat(60_000))}}`,
        `{"id":"asked","result":${deep}${closed}}`,
      ]
      for (const reply of replies) {
        const { talk, noise, say } = openBed()
        const answer = talk.ask('asked', '')
        talk.giveUp(kind)
        expect(await answer).toEqual({ kind })
        say('{"id":"other","result":{}}')
        say(reply)
        expect(noise).toEqual([null])
        expect(talk.usable).toBe(false)
        say(reply)
        expect(noise).toEqual([null, null])
      }
    },
  )

  it('is in no log where it came too late or for another call', async () => {
    const records: string[] = []
    const keep = (fields: object, message: string) =>
      void records.push(JSON.stringify({ ...fields, message }))
    const bed = openProcesses({ log: { ...silentLog, debug: keep, info: keep, warn: keep } })
    const line = '{"jsonrpc":"2.0","id":"inv_gone","result":{"output":"payload-of-another-call"}}'
    expect(await bed.call('line', { line })).toMatchObject({ ok: true })
    await bed.runner.close()
    expect(records.filter((record) => record.includes('stdout_noise'))).toHaveLength(1)
    expect(records.join()).not.toContain('payload-of-another-call')
  })
})
