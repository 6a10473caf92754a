import { leftOf, slackMs } from '@svc/conformance/processes'
import { listening } from '@svc/conformance/raw-http'
import { openToolHost } from '@svc/conformance/testing/tool-host'
import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { openSocket } from '../../testing/socket.ts'

const READER_STALLED_MS = 1_500
const SHUTDOWN_MS = 500
/** What the end of plugins may take besides. */
const MARGIN_MS = 1_000
const MIB = 1_048_576

/** A host of the test's own, and its sockets. */
async function start(onTestFinished: (close: () => Promise<void>) => void) {
  const services = await openToolHost({ limits: { READER_STALLED_MS, SHUTDOWN_MS, POOL_IDLE_MS: 100 } })
  onTestFinished(() => services.close())
  const { cookie, windowUuid } = services.window
  const { port } = await listening(services, services.window)
  const open = () => openSocket({ port, cookie })
  const envelope = (id: string, ns: string, method: string, args = {}) =>
    JSON.stringify({ id, window_uuid: windowUuid, ns, method, args })
  const tool = (name: string, args = {}, id = '1') =>
    envelope(id, 'tools', 'invoke', { tool_id: `odd.${name}`, args })
  /** Four answers of 4 MiB: more than the buffers of two sockets on one machine take. */
  const much = () => `[${['1', '2', '3', '4'].map((id) => tool('size', { bytes: 4 * MIB }, id)).join()}]`
  return { services, open, envelope, tool, much }
}

const after = (ms: number) => new Promise((done) => setTimeout(done, ms))
/** They wait for the most part. */
const beside = { concurrent: true }

verifies(
  ['design.socket.reader'],
  'who does not read is cut off, and who reads slowly is not',
  beside,
  async ({ onTestFinished }) => {
    const { services, open, much } = await start(onTestFinished)
    const [stalled, slow] = [await open(), await open()]
    stalled.ws.pause()
    stalled.post(much(), services.window.token)
    const n = slow.post(much(), services.window.token)
    // A frame of 4 MiB takes it longer than it may stall.
    for (let round = 0; round < 12; round++) {
      slow.ws.pause()
      await after(READER_STALLED_MS / 5)
      slow.ws.resume()
      await new Promise((done) => setImmediate(done))
    }
    expect(await slow.until(n, 4)).toHaveLength(4)
    slow.ws.terminate()
    // The other one has as many answers waiting by now.
    await after(2 * READER_STALLED_MS)
    // What the kernel still holds may be read; the end of the answers is not among it.
    stalled.ws.resume()
    expect(await stalled.closed).toMatchObject({ code: 1006 })
    expect(stalled.lines.length).toBeLessThan(4)
  },
)

verifies(
  ['design.socket.reader', 'wall.socket.caps'],
  'from who does not read nothing more is taken, so that he costs no more than what he is owed',
  beside,
  async ({ onTestFinished }) => {
    const { services, open, envelope, much } = await start(onTestFinished)
    const socket = await open()
    socket.ws.pause()
    socket.post(much(), services.window.token)
    await expect.poll(() => services.runner.stats().busy).toBe(4)
    await expect.poll(() => services.runner.stats().busy).toBe(0)
    const big = envelope('1', 'window', 'heartbeat', { client: 'x'.repeat(MIB) })
    for (let count = 0; count < 50; count++) socket.post(big, services.window.token)
    await after(READER_STALLED_MS / 2)
    expect(socket.ws.bufferedAmount).toBeGreaterThan(30 * MIB)
    await after(3 * READER_STALLED_MS)
    socket.ws.resume()
    expect(await socket.closed).toMatchObject({ code: 1006 })
    expect(await leftOf(() => services.processes(), 4_000)).toEqual([])
  },
)

verifies(
  ['design.socket.reader'],
  'a call that takes longer than a reader may stall is answered',
  beside,
  async ({ onTestFinished }) => {
    const { services, open, tool } = await start(onTestFinished)
    const socket = await open()
    const n = socket.post(tool('wait', { file: '/' }), services.window.token)
    expect(await socket.until(n)).toMatchObject([{ status: 200 }])
    socket.post(tool('hang'), services.window.token)
    await after(3 * READER_STALLED_MS)
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    socket.ws.terminate()
  },
)

verifies(
  ['design.socket.close', 'host.close'],
  'a host that closes cuts what does not end, and who does not answer its close',
  beside,
  async ({ onTestFinished }) => {
    const { services, open, tool } = await start(onTestFinished)
    const [hangs, deaf] = [await open(), await open()]
    hangs.post(tool('hang'), services.window.token)
    deaf.ws.pause()
    await expect.poll(() => services.runner.stats().busy).toBe(1)
    const started = performance.now()
    await services.host.close()
    const tookMs = performance.now() - started
    expect(tookMs).toBeLessThan(SHUTDOWN_MS + MARGIN_MS + (await slackMs()))
    expect(await hangs.closed).toMatchObject({ code: 1006 })
    deaf.ws.terminate()
  },
)
