/** A host that works until it is killed: `host-load.ts DIR NOTES SEED CALLS`. Prints `ready`, and `reached` after so many calls. */
import { setTimeout as wait } from 'node:timers/promises'
import { openNotes } from '../notes.ts'
import { seeded } from '../seeded.ts'
import { openDurableHost } from './durable-host.ts'

const [dir = '', file = '', seed = '', calls = ''] = process.argv.slice(2)
const host = await openDurableHost(dir)
const notes = openNotes(file, Number(calls), () => process.stdout.write('reached\n'))
process.stdout.write('ready\n')

const LANES = 2
const KEYS = 4
const JOB_MS = 150
const LOOK_MS = 20
const BYTES = 40_000
const TERMINAL = ['succeeded', 'failed', 'cancelled', 'expired']
/** Released versions, which are kept for ever, are few. */
const RELEASE = 0.1

const randomOf = (lane: number) => seeded(Number(seed) * 100 + lane)
const markOf = (lane: number, n: number) => `${lane}-${n}-${process.pid}`

/** Storage: sets values, with the etag of the last one half of the time. */
async function store(lane: number): Promise<void> {
  const random = randomOf(lane)
  const etags = new Map<string, string>()
  for (let n = 0; ; n++) {
    const key = `key-${lane}-${Math.floor(random() * KEYS)}`
    const mark = markOf(lane, n)
    const value = { mark, text: mark.repeat(Math.floor(random() * 200)), again: mark }
    const if_match = random() < 0.5 ? etags.get(key) : undefined
    const args = { key, value, ...(if_match !== undefined && { if_match }) }
    const { etag } = await notes.call('storage', { key, mark }, () =>
      host.call<{ etag: string }>('storage', 'set', args),
    )
    etags.set(key, etag)
  }
}

/** Jobs: starts one, and waits until it has ended. */
async function jobs(lane: number): Promise<void> {
  const random = randomOf(lane)
  for (let n = 0; ; n++) {
    const mark = markOf(lane, n)
    const order = {
      tool_id: 'starts',
      method: 'start',
      args: { mark, waitMs: Math.floor(random() * JOB_MS) },
    }
    const { jobId } = await notes.call('jobs', { mark }, () =>
      host.call<{ jobId: string }>('tools', 'invokeAsync', order),
    )
    const state = async () => (await host.call<{ state: string }>('tools', 'getJob', { jobId })).state
    for (let now = await state(); !TERMINAL.includes(now); now = await state()) await wait(LOOK_MS)
    await notes.call('jobs ended', { jobId }, state)
  }
}

/** Runs of a session, each followed to its end. */
async function runs(lane: number): Promise<void> {
  const random = randomOf(lane)
  for (;;) {
    const content = 'words '.repeat(1 + Math.floor(random() * 20))
    const args = { app_session_uuid: host.session, content }
    const { stream_id } = await notes.call('runs', {}, () => startRun(args))
    for await (const { items } of host.folder.bus.journal.follow(`run:${stream_id}`, 0))
      if (items.at(-1)?.item.startsWith('{"event":"end"')) break
  }
}

/** Starts a run when the session has room: runs of the host before count until this one has ended them. */
async function startRun(args: object): Promise<{ stream_id: string }> {
  for (;;)
    try {
      return await host.call('agent', 'session.run', args)
    } catch (error) {
      if (!String(error).includes('max_concurrent_runs')) throw error
      await wait(LOOK_MS)
    }
}

/** Uploads: in the call, and by a signed URL. */
async function uploads(lane: number): Promise<void> {
  const random = randomOf(lane)
  for (let n = 0; ; n++) {
    const bytes = Buffer.alloc(1 + Math.floor(random() * BYTES), markOf(lane, n))
    const file = { mime: 'text/plain', purpose: 'test' }
    const inline = () =>
      host.call<{ url: string }>('upload', 'inline', { ...file, bytes_b64: bytes.toString('base64') })
    async function negotiated(): Promise<{ url: string }> {
      const where = { ...file, size_bytes: bytes.length }
      const { upload_url, file_ref } = await host.call<{ upload_url: string; file_ref: string }>(
        'upload',
        'negotiate',
        where,
      )
      const put = await host.request(upload_url, {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': file.mime },
      })
      if (!put.ok) throw new Error(await put.text())
      return host.call('upload', 'confirm', { file_ref })
    }
    const what = { mark: markOf(lane, n), size: bytes.length }
    await notes.call('uploads', what, random() < 0.5 ? inline : negotiated)
    await wait(LOOK_MS)
  }
}

/** Publishing: pushes drafts, and releases some of them. */
async function drafts(lane: number): Promise<void> {
  const random = randomOf(lane)
  for (let n = 0; ; n++) {
    const name = `Draft ${markOf(lane, n)}`
    await notes.call(
      'drafts',
      { name },
      () => host.pushDraft(name),
      () => null,
    )
    if (random() < RELEASE) {
      const version = `${process.pid}.${n}.0`
      await notes.call(
        'releases',
        { version, name },
        () => host.host.apps.release('ada', host.appId, version),
        () => null,
      )
    }
    await wait(LOOK_MS)
  }
}

const lanes = Array.from({ length: LANES }, (_, at) => [store(at), jobs(10 + at), runs(20 + at)])
await Promise.all([...lanes.flat(), uploads(30), drafts(40)])
