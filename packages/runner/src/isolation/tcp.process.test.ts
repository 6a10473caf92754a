import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createRunner } from '../runner.ts'
import { skipWithoutWalls } from '../testing/hostile-scene.ts'

const root = mkdtempSync(join(tmpdir(), 'svc-tcp-'))
/** Connects as a client of a database does, which knows no proxy: says a word, and returns what comes back. */
writeFileSync(
  join(root, 'plugin.mjs'),
  `import { createInterface } from 'node:readline'
import { connect } from 'node:net'
const ask = ({ host, port, size = 5 }) => new Promise((done, fail) => {
  const socket = connect(port, host, () => socket.write('x'.repeat(size)))
  let all = 0
  socket.on('data', (piece) => { all += piece.length; if (all >= size) { socket.destroy(); done(all) } })
  socket.on('error', (error) => fail(error)).on('close', () => fail(new Error('closed')))
})
const tools = {
  ask,
  many: ({ host, port, count }) => Promise.all(Array.from({ length: count }, () => ask({ host, port }))).then((all) => all.length),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, params } = JSON.parse(line)
  const result = await tools[params.name](params.args).then(
    (output) => ({ output }),
    (error) => ({ success: false, error: error.message }),
  )
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}`,
)
const runner = createRunner({ isolator: 'bubblewrap' })
const sockets = new Set<Socket>()
const echo = createServer((socket) => {
  sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  socket.pipe(socket)
})
let port = 0
beforeAll(async () => {
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  port = (echo.address() as AddressInfo).port
})
afterAll(async () => {
  await runner.close()
  echo.close()
  rmSync(root, { recursive: true })
})

const call = (
  tool: string,
  args: Record<string, unknown>,
  tcp: readonly string[],
  more: { readonly files?: readonly string[] } = {},
) =>
  runner.call({
    userId: 'ada',
    plugin: {
      id: more.files ? 'tool-published' : 'tool-tcp',
      version: '1.0.0',
      command: ['node', join(root, 'plugin.mjs')],
      reach: { tcp },
      ...more,
    },
    tool,
    args,
    graceMs: 0,
    invokeId: 'inv_1',
    timeoutMs: 20_000,
    deadlineMs: Date.now() + 20_000,
    maxResultBytes: 65_536,
  })

describe('a server that a reach names', () => {
  skipWithoutWalls()

  verifies.each('wall.plugin.tcp')([
    ['localhost', 5],
    ['127.0.0.1', 5],
    ['localhost', 5_000_000],
  ])('answers a client that knows no proxy at %s: %i bytes', async (host, size) => {
    expect(await call('ask', { host, port, size }, [`localhost:${port}`])).toMatchObject({
      ok: true,
      payload: size,
    })
  })

  verifies('wall.plugin.tcp', 'takes several connections, and they end with the process', async () => {
    expect(await call('many', { host: 'localhost', port, count: 8 }, [`localhost:${port}`])).toMatchObject({
      ok: true,
      payload: 8,
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  verifies.each('wall.plugin.tcp')<[string, () => readonly string[], object?]>([
    ['another port', () => [`localhost:${port === 65_535 ? 1_024 : port + 1}`]],
    ['no server', () => []],
    ['this machine, though it was published', () => [`localhost:${port}`], { files: [] }],
    ['this machine by its address, though it was published', () => [`127.0.0.1:${port}`], { files: [] }],
  ])('is out of reach for a plugin that names %s', async (_name, tcp, more) => {
    expect(await call('ask', { host: '127.0.0.1', port }, tcp(), { ...more })).toMatchObject({
      ok: false,
      code: 'tool_failed',
    })
    expect(sockets.size).toBe(0)
  })

  verifies('wall.plugin.tcp', 'is named in its own hosts file, by a name of its own', async () => {
    const outcome = await call('ask', { host: 'nowhere.invalid', port: 5_432 }, ['nowhere.invalid:5432'])
    // It got as far as the way out, which knows no such name: without the file it would be EAI_AGAIN.
    expect(outcome).toMatchObject({
      ok: false,
      details: {
        error: expect.not.stringContaining('EAI'),
        hint: expect.stringMatching(/^nowhere\.invalid has no address/),
      },
    })
  })
})
