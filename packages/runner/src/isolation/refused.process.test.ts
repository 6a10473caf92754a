import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import type { Reach } from '@svc/contract/reach'
import { afterAll, describe, expect } from 'vitest'
import { silentLog } from '../port/log.ts'
import { createRunner } from '../runner.ts'
import { skipWithoutWalls } from '../testing/hostile-scene.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-refused-'))
/** Each line of the program does what a tool is asked for, and fails with what it hears. */
writeFileSync(
  join(root, 'plugin.mjs'),
  `import { createInterface } from 'node:readline'
import { get } from 'node:https'
import { get as plain } from 'node:http'
import { writeFileSync } from 'node:fs'
const tools = {
  fetch: ({ url }) => fetch(url).then((answer) => answer.text()),
  https: ({ url }) => new Promise((done, fail) => get(url, done).on('error', fail)),
  http: ({ url }) => new Promise((done, fail) => plain(url, async (answer) => {
    let text = ''
    for await (const piece of answer) text += piece
    if (answer.statusCode === 200) done(text)
    else fail(new Error(text))
  }).on('error', fail)),
  write: async ({ path }) => writeFileSync(path, ''),
  many: async ({ count }) => {
    for (let n = 0; n < count; n++) await fetch('https://n' + n + '.example.com').catch(() => {})
    throw new Error('none of them')
  },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const answer = await tools[params.name](params.args).then(
    (output) => ({ output }),
    (error) => ({ success: false, error: error.message }),
  )
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer }))
}`,
)
const logged: Record<string, unknown>[] = []
const log = { ...silentLog, warn: (fields: object) => void logged.push({ ...fields }) }
const runner = createRunner({ isolator: 'bubblewrap', log, showStderr: true })
afterAll(async () => {
  await runner.close()
  rmSync(root, { recursive: true })
})

const call = (tool: string, args: Record<string, unknown>, reach: Reach, id = 'tool-refused') =>
  runner.call({
    userId: 'ada',
    plugin: { id, version: '1.0.0', command: ['node', join(root, 'plugin.mjs')], reach },
    tool,
    args,
    graceMs: 0,
    invokeId: 'inv_1',
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    maxResultBytes: 65_536,
  })
const hosts = ['a.example.com']

describe('what walls refuse', () => {
  skipWithoutWalls()

  verifies.each('wall.plugin.told')<[string, string, Record<string, string>, Reach, RegExp]>([
    [
      'a host, by fetch',
      'fetch',
      { url: 'https://b.example.com/' },
      { hosts },
      /^It may not reach b\.example\.com:443\. .*"reach": \{ "hosts": \["a\.example\.com","b\.example\.com"\] \}$/,
    ],
    [
      'a port, by https',
      'https',
      { url: 'https://a.example.com:8443/' },
      { hosts },
      /^It may not reach a\.example\.com:8443\. .*"a\.example\.com:8443"/,
    ],
    [
      'plain HTTP',
      'fetch',
      { url: 'http://a.example.com/' },
      { hosts },
      /^It may not reach a\.example\.com:80\. .*"a\.example\.com:80"/,
    ],
    [
      'plain HTTP, by http',
      'http',
      { url: 'http://b.example.com:8080/' },
      { hosts },
      /^It may not reach b\.example\.com:8080\. .*"b\.example\.com:8080"/,
    ],
    [
      'any host',
      'https',
      { url: 'https://b.example.com/' },
      {},
      /^Behind its walls it may reach no host\. .*"hosts": \["b\.example\.com"\]/,
    ],
    [
      'a file',
      'write',
      { path: join(root, 'x') },
      {},
      /^Behind its walls it may not write .*"access":"write"/,
    ],
  ])('is a hint at the call: %s', async (_name, tool, args, reach, says) => {
    const outcome = await call(tool, args, reach)
    expect(outcome).toMatchObject({ ok: false, code: 'tool_failed' })
    expect(outcome.ok ? '' : outcome.details?.hint).toMatch(says)
  })

  verifies('wall.plugin.told', 'is a line in the log once a host, and so many in all', async () => {
    logged.length = 0
    await call('many', { count: limits.REFUSED_TOLD_MAX + 10 }, { hosts }, 'tool-many')
    await call('many', { count: 3 }, { hosts }, 'tool-many')
    const told = logged.filter(({ event }) => event === 'plugin_refused')
    expect(told.map(({ host }) => host)).toEqual(
      Array.from({ length: limits.REFUSED_TOLD_MAX }, (_, n) => `n${n}.example.com:443`),
    )
    expect(told[0]).toMatchObject({
      plugin: 'tool-many',
      add: '"reach": { "hosts": ["a.example.com","n0.example.com"] }',
    })
    expect(told.map(({ more }) => more !== undefined).indexOf(true)).toBe(limits.REFUSED_TOLD_MAX - 1)
  })
})
