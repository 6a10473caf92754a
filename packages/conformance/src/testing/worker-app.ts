import { join } from 'node:path'
import { bundle } from '../bundle.ts'
import type { SmallApp } from './app-folder.ts'

/** What the worker of the app exposes, with the svc of its document. */
const worker = `import { expose, HostRpcError, svc, transfer } from '@svc/sdk/worker'
await svc.storage.set({ key: 'top', value: 'level' })
expose({
  add: (a, b) => a + b,
  async stored() {
    const heard = []
    const stop = svc.on('context', ({ theme }) => heard.push(theme))
    stop()
    await svc.storage.set({ key: 'a', value: { n: [1, 2] } })
    const { value } = await svc.storage.get({ key: 'a' })
    return [value, (await svc.ready).view_meta.name, await svc.supports('storage.get'), heard]
  },
  async denied() {
    try { await svc.web.fetch({ url: 'https://a.example' }) } catch (error) { return [error instanceof HostRpcError, error.code, typeof error.hint] }
  },
  fails: () => svc.web.fetch({ url: 'https://a.example' }),
  async aborts() {
    const stop = new AbortController()
    const call = svc.tools.invoke({ tool_id: 'odd.hang' }, { signal: stop.signal })
    stop.abort()
    return call.then(String, ({ code }) => code)
  },
  back: (bytes) => transfer(bytes, [bytes.buffer]),
  hang: () => svc.tools.invoke({ tool_id: 'odd.hang' }),
  loop() { for (;;); },
  leave() { close(); return new Promise(() => {}) },
})`

/** What the document shows of it. */
export const workerShows = {
  sum: 3,
  stored: [{ n: [1, 2] }, 'main', true, []],
  top: 'level',
  denied: [true, 'permission_denied', 'string'],
  fails: [true, 'permission_denied'],
  aborts: 'cancelled',
  back: [0, 3],
  ended: ['cancelled', 'cancelled', 'cancelled'],
  closed: 'cancelled',
  broken: 'load_failed',
}

/** An app whose worker uses svc: its document, which has `show`, shows what came of each thing it tried. */
export const workerApp = async (): Promise<SmallApp> => ({
  script: `import { HostRpcError, svc } from '@svc/sdk'; import { releaseProxy, transfer, wrapWorker } from '@svc/sdk/worker'
    const start = (file) => wrapWorker(new Worker(new URL(file, location.href), { type: 'module' }))
    const code = (promise) => promise.then(String, (error) => error.code ?? String(error))
    ;(async () => {
      const api = start('worker.js')
      const bytes = new Uint8Array([1, 2, 3])
      const back = api.back(transfer(bytes, [bytes.buffer]))
      const results = {
        sum: await api.add(1, 2), stored: await api.stored(), top: (await svc.storage.get({ key: 'top' })).value,
        denied: await api.denied(), fails: await api.fails().catch((error) => [error instanceof HostRpcError, error.code]),
        aborts: await api.aborts(), back: [bytes.length, (await back).length],
      }
      const looping = [code(api.hang()), code(api.loop())]
      await new Promise((done) => setTimeout(done, 200))
      api[releaseProxy]()
      show({ ...results, ended: [...await Promise.all(looping), await code(api.add(1, 1))],
        closed: await code(start('worker.js').leave()), broken: await code(start('nothing.js').add(1, 1)) })
    })().catch((error) => show(String(error)))`,
  files: {
    'worker.js': await bundle({ contents: worker, resolveDir: join(import.meta.dirname, '..', '..') }),
  },
})
