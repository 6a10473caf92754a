import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import type { Host } from '@svc/host'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readValue } from '../../terminal/read-value.ts'
import { openHost } from '../../testing/open-host.ts'
import { runHere } from '../../testing/run-here.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'svc-set-'))
let host: Host
let url = ''
let toolId = ''
beforeAll(async () => {
  ;({ host, url } = await openHost())
  const env = {
    KEY: { secret: true, required: true, description: 'the key of your account' },
    CITY: { default: 'Rome' },
  }
  const made = await host.publishing.create('ada', {
    name: 'Weather',
    type: 'tool',
    manifest: { name: 'weather', tools: [] },
    distribution: { type: 'npm', package_name: 'weather', version: '1.0.0', env },
  })
  toolId = made.tool_id
})
afterAll(async () => {
  await host.close()
  rmSync(dir, { recursive: true })
})

const set = (...args: string[]) =>
  runHere(['plug', 'set', toolId, ...args, '--host', url, '--user', 'ada'], { cwd: dir })

describe('svc plug set', () => {
  it('lists what a plugin needs, takes a value back, and names the nearest variable', async () => {
    const { out } = await set()
    expect(out).toMatch(/KEY +not set, needed +the key of your account/)
    expect(out).toMatch(/CITY +not set: Rome/)
    expect(await set('KEI')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Weather has no variable "KEI"; did you mean `KEY`?'),
    })
    expect(await set('KEY', '--clear')).toMatchObject({
      code: 0,
      out: 'KEY of Weather is taken back. It still needs KEY.\n',
    })
    expect(await set('KEY', 'sk-1')).toMatchObject({ code: 2 })
  })

  it.each([
    ['sk-1\n', 'sk-1'],
    ['sk-1\r\n', 'sk-1'],
    ['a\nb\n', 'a\nb'],
  ])('reads %j from stdin as %j', async (said, value) => {
    const stdin = new PassThrough()
    stdin.end(said)
    expect(await readValue({ name: 'KEY', description: null, secret: true }, stdin)).toBe(value)
  })

  it.each([
    ['', 'KEY got no value'],
    ['x'.repeat(16_385), 'KEY must have at most 16384 bytes'],
  ])('refuses %#', async (said, sentence) => {
    const stdin = new PassThrough()
    stdin.end(said)
    await expect(readValue({ name: 'KEY', description: null, secret: true }, stdin)).rejects.toThrow(sentence)
  })

  it.each([
    [true, 'KEY (the key): \n'],
    [false, 'KEY (the key): sk-1'],
  ])('asks on a terminal, and shows no secret: %j', async (secret, shown) => {
    const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()]
    const asked = readValue({ name: 'KEY', description: 'the key', secret }, stdin, stderr)
    stdin.write('sk-1\r')
    expect(await asked).toBe('sk-1')
    const text = String(stderr.read())
    if (secret) expect(text).toBe(shown)
    else expect(text).toContain('sk-1')
  })
})
