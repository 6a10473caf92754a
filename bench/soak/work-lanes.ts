import { bytesOf, send } from './client.ts'
import type { Lane } from './lanes.ts'
import type { People, Person } from './people.ts'

const WAIT_MS = 20_000
const KEYS = 40

/** Traffic of apps: storage, files, uploads, images, tools, jobs, sessions and models. */
export const workLanes = ({ target, one }: People): readonly Lane[] => [
  {
    name: 'storage',
    everyMs: 150,
    async once(n) {
      const { call } = one(n).windows[0]
      const key = `key ${n % KEYS}`
      await call('storage', 'set', { key, value: { n, text: 'x'.repeat(n % 2_000) } })
      // In the state of a window nothing goes by itself: a new key each time would grow for ever.
      await call('storage', 'set', { key: `brief ${n % KEYS}`, value: n, ttl_seconds: 1 })
      await call('storage', 'get', { key })
      await call('storage', 'delete', { key })
    },
  },
  {
    name: 'files under paths',
    everyMs: 500,
    async once(n) {
      const { call } = one(n).windows[0]
      await call('files', 'write', { path: 'kept.txt', text: `of ${n} ${'x'.repeat(5_000)}` })
      await call('files', 'read', { path: 'kept.txt' })
      await call('files', 'write', { path: `gone-${n}.txt`, text: `${n}` })
      await call('files', 'delete', { path: `gone-${n}.txt` })
    },
  },
  {
    name: 'uploads, some given up',
    everyMs: 1_000,
    async once(n) {
      const { call } = one(n).windows[0]
      const upload = { mime: 'text/plain', purpose: 'soak' }
      const { file_ref } = await call('upload', 'inline', { ...upload, bytes_b64: bytesOf(`inline ${n}`) })
      await call('upload', 'delete', { file_ref })
      const text = `negotiated ${n}`
      const sized = { ...upload, size_bytes: text.length }
      const wanted = await call<{ upload_url: string; file_ref: string }>('upload', 'negotiate', sized)
      await send(target, 'PUT', wanted.upload_url, { body: text, headers: { 'content-type': 'text/plain' } })
      // What is not confirmed goes by itself.
      if (n % 3 === 0) return
      await call('upload', 'confirm', { file_ref: wanted.file_ref })
      await call('upload', 'delete', { file_ref: wanted.file_ref })
    },
  },
  {
    name: 'images',
    everyMs: 3_000,
    async once(n) {
      const { call } = one(n).windows[0]
      const { images } = await call<{ images: { file_ref: string }[] }>('image', 'generate', {
        prompt: `image ${n}`,
        size: '64x64',
      })
      for (const { file_ref } of images) await call('upload', 'delete', { file_ref })
    },
  },
  {
    name: 'tools',
    everyMs: 250,
    once: (n) => one(n).windows[0].call('tools', 'invoke', { tool_id: 'soak', method: 'echo', args: { n } }),
  },
  {
    name: 'tools that fail, hang or end their process',
    everyMs: 2_500,
    async once(n) {
      const method = ['fail', 'hang', 'leave', 'absent'][n % 4]
      const call = one(n).windows[1].call('tools', 'invoke', { tool_id: 'soak', method, timeoutMs: 1_000 })
      const failed = await call.then(
        () => false,
        () => true,
      )
      if (!failed) throw new Error(`${method} succeeded`)
    },
  },
  { name: 'jobs', everyMs: 2_000, once: (n) => job(one(n), n) },
  { name: 'runs of sessions', everyMs: 700, once: (n) => run(one(n), n) },
  {
    name: 'models',
    everyMs: 500,
    async once(n) {
      const { events, windows } = one(n)
      const messages = [{ role: 'user', content: { type: 'text', text: `of ${n}` } }]
      await windows[1].call('llm', 'complete', { messages })
      const { stream_id } = await windows[0].call<{ stream_id: string }>('llm', 'stream', { messages })
      await events.until(`"stream_id":"${stream_id}"`, WAIT_MS)
    },
  },
]

/** The ways of a job; it is waited for, cancelled, or expires. */
const jobKinds = [
  { method: 'steps', args: { count: 20 } },
  { method: 'fail', args: {} },
  { method: 'hang', args: {}, timeoutMs: 1_500 },
  { method: 'hang', args: {}, cancel: true },
  { method: 'leave', args: {} },
] as const

async function job({ windows, events }: Person, n: number): Promise<void> {
  const { call } = windows[0]
  const kind = jobKinds[n % jobKinds.length] as { method: string; args: object; cancel?: true }
  const { cancel, ...order } = kind
  const { jobId } = await call<{ jobId: string }>('tools', 'invokeAsync', { tool_id: 'soak', ...order })
  const over = ended(jobId)
  if (cancel) await call('tools', 'cancelJob', { jobId, reason: 'enough' })
  await over
  await call('tools', 'getJob', { jobId })
  await call('tools', 'listJobs', { limit: 5 })

  async function ended(id: string): Promise<void> {
    const until = performance.now() + WAIT_MS
    while (performance.now() < until) {
      await events.until(id, 500)
      const { state } = await call<{ state: string }>('tools', 'getJob', { jobId: id })
      if (state !== 'queued' && state !== 'running') return
    }
    throw new Error(`job ${id} does not end`)
  }
}

async function run({ windows, events }: Person, n: number): Promise<void> {
  const { call } = windows[0]
  const { app_session_uuid } = await call('agent', 'session.create', { submode: 'auto' })
  const content = n % 3 === 0 ? '/call soak.echo {"a":1}' : `words ${'and words '.repeat(n % 40)}`
  const turn = { app_session_uuid, content }
  const { run_id } = await call<{ run_id: string }>('agent', 'session.run', turn)
  if (n % 5 === 0) await call('agent', 'session.cancel', { app_session_uuid, run_id })
  const until = performance.now() + WAIT_MS
  for (let done = false; !done; ) {
    if (performance.now() > until) throw new Error(`run ${run_id} does not end`)
    await events.until(run_id, 100)
    const attached = await call<{ done: boolean }>('agent', 'session.attach', { app_session_uuid, run_id })
    done = attached.done
  }
  await call('agent', 'session.history', { app_session_uuid })
  // Some are left to expire.
  if (n % 4 !== 0) await call('agent', 'session.delete', { app_session_uuid })
}
