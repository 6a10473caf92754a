import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost } from '@svc/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { HostRpcError as DocumentError, type Svc } from '../index.ts'
import { expose, isHostRpcError, proxy, releaseProxy, transfer } from './index.ts'
import { createWorkerSvc } from './worker-svc.ts'
import { type WorkerLike, wrapWorker } from './wrap-worker.ts'

const manifest = {
  schema: 3,
  name: 'App',
  ui: {
    bundle: { entry: 'index.html' },
    views: [{ name: 'main' }],
    host_api: {
      storage: ['get', 'set'],
      agent: { session: { auto: true } },
      llm: ['stream', 'attach', 'cancel'],
      tools: ['required:build'],
    },
  },
  required_plugs: ['build'],
}

const later = Promise.withResolvers<object>()
const tools = {
  build: {
    all: async (_: unknown, { progress }: { progress(news: object): void }) => {
      for (const step of [1, 2, 3]) progress({ data: { step } })
      return { built: true }
    },
    slow: () => later.promise,
  },
}

let host: TestHost | undefined
const ports: MessagePort[] = []
afterEach(async () => {
  for (const port of ports.splice(0)) port.close()
  await host?.close()
  host = undefined
})

/** A document with a window of a host, and what stands for a worker: the other end of a channel. */
async function open<Api>(api?: (svc: Svc) => Api) {
  host = await createTestHost({ manifest, tools, models: { default: () => 'Hello' } })
  const { svc, window } = await host.openWindow()
  const { port1, port2 } = new MessageChannel()
  ports.push(port1, port2)
  port1.start()
  const worker = port1 as unknown as WorkerLike & MessagePort
  worker.terminate = () => port1.close()
  const remote = wrapWorker<Api>(worker, svc)
  const inside = createWorkerSvc(port2 as unknown as Worker)
  if (api) expose(api(inside), port2 as unknown as Parameters<typeof expose>[1])
  return { host, window, svc, inside, worker, api: remote }
}
/** One that has not answered its first call, and never does. */
const slow = () =>
  open(() => {
    const never = () => new Promise<void>(() => {})
    return { never, make: () => proxy({ never, add: (a: number, b: number) => a + b }) }
  })
/** Moves the clock of the host until this has come. */
async function settle<Result>(host: TestHost, promise: Promise<Result>): Promise<Result> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  promise.then(over, over)
  while (!isOver) {
    await new Promise((done) => setImmediate(done))
    await host.clock.advance(100)
  }
  return promise
}
/** The jobs of this state, once there are any. */
async function jobsOf(svc: Svc, host: TestHost, state: 'running' | 'cancelled') {
  for (;;) {
    const { jobs } = await settle(host, svc.tools.listJobs({}))
    const found = jobs.filter((job) => job.state === state)
    if (found.length > 0) return found
  }
}
const caught = (promise: Promise<unknown>) => promise.then(String, (error) => error)

verifies('sdk.worker', 'a worker calls the host with the svc of its document', async () => {
  const { svc, inside } = await open()
  await inside.storage.set({ key: 'a', value: { n: [1] } })
  expect(await svc.storage.get({ key: 'a' })).toMatchObject({ value: { n: [1] } })
  expect(await inside.ready).toMatchObject({ view_meta: { name: 'main' } })
  expect([await inside.supports('storage.get'), await inside.supports('image.generate')]).toEqual([
    true,
    false,
  ])
})

verifies(
  'sdk.worker.errors',
  'errors have their class, code and fields, and so they reach the document',
  async () => {
    const { svc, inside, api } = await open((own) => ({
      write: () => own.storage.set({ key: '', value: 1 }),
      fail: () => Promise.reject(new RangeError('mine')),
    }))
    const expected = await caught(svc.web.fetch({ url: 'https://a.example' }))
    const error = await caught(inside.web.fetch({ url: 'https://a.example' }))
    expect([error instanceof Error, isHostRpcError(error)]).toEqual([true, true])
    expect({ ...error, message: error.message }).toEqual({
      ...expected,
      message: expected.message,
      name: 'HostRpcError',
    })
    expect(await caught(api.write())).toBeInstanceOf(DocumentError)
    expect(await caught(api.write())).toMatchObject({ code: 'invalid_arg', name: 'HostRpcError' })
    expect(String(await caught(api.fail()))).toBe('RangeError: mine')
    const odd = { key: 'a', value: () => 1 }
    expect(await caught(inside.storage.set(odd as never))).toMatchObject({ code: 'invalid_arg' })
  },
)

verifies('sdk.worker', 'it hears events until it unsubscribes, and knows the context', async () => {
  const { host, window, inside } = await open()
  await inside.ready
  const heard: string[] = []
  const stop = inside.on('context', ({ theme }) => heard.push(theme))
  inside.on('context', () => heard.push('never'))()
  await inside.supports('storage.get')
  const change = async (theme: 'dark' | 'light') => {
    window.setContext({ theme, locale: 'en', focused: true })
    await host.clock.settled()
    await expect.poll(() => inside.context?.theme).toBe(theme)
  }
  await change('dark')
  await expect.poll(() => heard).toEqual(['dark'])
  stop()
  await change('light')
  expect(heard).toEqual(['dark'])
})

verifies('sdk.worker', 'it is asked before the window closes', async () => {
  const { host, window, inside } = await open()
  await inside.ready
  let asked = 0
  inside.onBeforeClose(() => {
    asked += 1
    return false
  })
  await inside.supports('storage.get')
  await new Promise((done) => setTimeout(done))
  expect([await window.close(), asked, (await host.bridge.listWindows()).length]).toEqual([false, 1, 1])
})

verifies('sdk.worker', 'it runs jobs with their progress, and has handles of them', async () => {
  const { host, inside } = await open()
  await inside.ready
  const steps: unknown[] = []
  const job = inside.tools.invokeAsyncAwait(
    { tool_id: 'build.all' },
    { onProgress: ({ data }) => steps.push((data as { data: unknown }).data) },
  )
  const done = await settle(host, job)
  expect([done, steps]).toEqual([{ built: true }, [{ step: 1 }, { step: 2 }, { step: 3 }]])
  const { jobId } = await inside.tools.invokeAsync({ tool_id: 'build.all' })
  const handle = inside.tools.job(jobId)
  expect([handle.jobId, await settle(host, handle.result())]).toEqual([jobId, { built: true }])
  const read: unknown[] = []
  for await (const { data } of handle.progress()) read.push((data as { data: unknown }).data)
  expect([read, await handle.state()]).toEqual([steps, 'succeeded'])
})

verifies('sdk.worker.abort', 'its signals cancel calls and jobs', async () => {
  const { host, inside } = await open()
  await inside.ready
  const fired = AbortSignal.abort()
  expect(await caught(inside.storage.get({ key: 'a' }, { signal: fired }))).toMatchObject({
    code: 'cancelled',
  })
  const stop = new AbortController()
  const job = caught(inside.tools.invokeAsyncAwait({ tool_id: 'build.slow' }, { signal: stop.signal }))
  const call = caught(inside.tools.invoke({ tool_id: 'build.slow' }, { signal: stop.signal }))
  await jobsOf(inside, host, 'running')
  stop.abort()
  expect(await job).toMatchObject({ code: 'cancelled' })
  expect(await call).toMatchObject({ code: 'cancelled' })
  await jobsOf(inside, host, 'cancelled')
  const signal = 'now' as never
  expect(await caught(inside.tools.invokeAsyncAwait({ tool_id: 'build.slow' }, { signal }))).toMatchObject({
    code: 'invalid_arg',
  })
})

verifies('sdk.worker', 'it has sessions and runs, whose listeners hear them in order', async () => {
  const { host, inside } = await open()
  const session = await inside.agent.session({ submode: 'auto' })
  expect(session).toMatchObject({ submode: 'auto', appSessionUuid: expect.stringMatching(/^aps_/) })
  const run = await session.run('Hi')
  const final = await settle(host, run.final())
  expect(final).toMatchObject({ text: 'Hello', aborted: false })
  const heard: string[] = []
  run.on('text', (piece) => heard.push(piece))
  run.on('frame', ({ event }) => heard.push(event))
  run.on('end', ({ text }) => heard.push(`end ${text}`))
  await expect.poll(() => heard.at(-1)).toBe('end Hello')
  const [at] = [heard.indexOf('Hello')]
  expect([heard[at + 1], heard[0] !== 'Hello']).toEqual(['sse', true])
  let text = ''
  for await (const piece of run.text()) text += piece
  expect([text, run.lastSeq > 3]).toEqual(['Hello', true])
  const { expiresAt } = session
  await host.clock.advance(60_000)
  await session.refresh()
  expect(session.expiresAt > expiresAt).toBe(true)
})

verifies(
  'sdk.worker.ends',
  'when it ends, what it began is cancelled and its listeners are gone',
  async () => {
    const { host, svc, inside, worker } = await open()
    await inside.ready
    void inside.tools.invokeAsyncAwait({ tool_id: 'build.slow' })
    await jobsOf(inside, host, 'running')
    worker.terminate()
    await jobsOf(svc, host, 'cancelled')
  },
)

verifies.each('sdk.worker.settles')<[string, string, (at: Awaited<ReturnType<typeof slow>>) => void]>([
  ['its proxy is released', 'cancelled', ({ api }) => api[releaseProxy]()],
  ['it is terminated', 'cancelled', ({ worker }) => worker.terminate()],
  ['it closes itself', 'cancelled', ({ worker }) => void worker.dispatchEvent(new Event('close'))],
  [
    'it throws while it loads',
    'load_failed',
    ({ worker }) => void worker.dispatchEvent(Object.assign(new Event('error'), { message: 'no file' })),
  ],
])('every call settles where %s', async (_, code, end) => {
  const at = await slow()
  const call = caught(at.api.never())
  end(at)
  const error = await call
  expect(error).toBeInstanceOf(DocumentError)
  expect(error).toMatchObject({ code })
  expect(await caught(at.api.never())).toMatchObject({ code })
})

verifies('sdk.worker.settles', 'calls of what it handed out settle too', async () => {
  const { api, worker } = await slow()
  const made = await api.make()
  expect(await made.add(1, 2)).toBe(3)
  const call = caught(made.never())
  worker.dispatchEvent(Object.assign(new Event('error'), { message: 'an error after its first answer' }))
  expect(await made.add(2, 2)).toBe(4)
  worker.terminate()
  expect(await call).toMatchObject({ code: 'cancelled' })
})

verifies('sdk.worker.transfer', 'both sides hand on what they transfer, and functions by proxy', async () => {
  const { api } = await open(() => ({
    async back(bytes: Uint8Array, tell: (n: number) => void) {
      await tell(bytes.length)
      return transfer(bytes, [bytes.buffer])
    },
  }))
  const bytes = new Uint8Array([1, 2, 3])
  let told = 0
  const tell = proxy((n: number) => {
    told = n
  })
  const back = await api.back(transfer(bytes, [bytes.buffer]), tell)
  expect([bytes.length, [...back], told]).toEqual([0, [1, 2, 3], 3])
})

it('says what to do where no document has wrapped it', async () => {
  const { port1 } = new MessageChannel()
  ports.push(port1)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const error = caught(createWorkerSvc(port1 as unknown as Worker).storage.get({ key: 'a' }))
  vi.advanceTimersByTime(10_000)
  vi.useRealTimers()
  expect(await error).toMatchObject({ code: 'not_hosted', message: expect.stringContaining('wrapWorker') })
})
