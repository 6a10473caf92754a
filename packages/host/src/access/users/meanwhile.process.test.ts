import { generateKeyPairSync } from 'node:crypto'
import { openTestHost } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { frozenClock } from '@svc/node/testing'
import type { Store } from '@svc/state'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { users } from '../../catalog/records.ts'
import { openJobBed, settled } from '../../testing/jobs.ts'
import { answered } from '../../testing/jobs-runner.ts'
import { hello, openMachine, proofOf } from '../../testing/runner-machine.ts'
import { jobs } from '../../work/jobs/job-row.ts'
import { removedId, removedUsers } from './sign-in.ts'

const manifest = { host_api: { agent: { session: { auto: true } } } }

/** A store of which one kind of work, such as `insert windows`, can be held up. */
function slowStore() {
  const inner = memoryStore()
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let held = ''
  const pass = async (what: string, when: 'before' | 'after') => {
    if (what !== held) return
    if (when === 'after') held = ''
    reached.resolve()
    await gate.promise
  }
  const store: Store = {
    ...inner,
    async insert(collection, ...rest) {
      await pass(`insert ${collection.name}`, 'before')
      return inner.insert(collection, ...rest)
    },
    async get(collection, id) {
      const found = await inner.get(collection, id)
      await pass(`get ${collection.name}`, 'after')
      return found
    },
  }
  const hold = (what: string) => {
    held = what
  }
  return { store, hold, reached: reached.promise, open: gate.resolve }
}

verifies('user.block.meanwhile', 'whoever is denied is named in the audit log', async () => {
  const heard: string[] = []
  const host = await openTestHost({
    audit({ what, user_id, method }) {
      if (what === 'denied') heard.push(`${user_id} ${method}`)
    },
  })
  const window = await host.openWindow()
  await host.host.users.block('ada')
  const { cookie } = window
  await host.request('/api/v1/svc-apps/windows', { cookie })
  await host.request('/api/v1/svc-apps/runtime/events', { cookie })
  await window.post('{}')
  // It is heard of behind the turn, and by the close at the latest.
  await host.close()
  expect(heard).toEqual(['ada windows.list', 'ada calls.events', 'ada calls.rpc'])
})

describe('what was begun before a block', () => {
  const clock = frozenClock()
  let slow: ReturnType<typeof slowStore>
  let at: Awaited<ReturnType<typeof openTestHost>>
  beforeEach(async () => {
    slow = slowStore()
    at = await openTestHost({ store: slow.store, secret: 's'.repeat(32), manifest, clock })
  })
  afterEach(() => at.close())

  const heads = [
    ['PUT', 'apps/{app}/draft'],
    ['POST', 'windows'],
    ['POST', 'runners'],
    ['POST', 'apps'],
  ] as const
  for (const [method, path] of heads)
    verifies('user.block.meanwhile', `the body of ${method} ${path} comes after it`, async () => {
      const asked = Promise.withResolvers<void>()
      const sent = Promise.withResolvers<void>()
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            asked.resolve()
            await sent.promise
            controller.enqueue(Buffer.from('{}'))
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
      const init = { method, body, duplex: 'half' as const, cookie: await at.signIn('ada') }
      const answer = at.request(`/api/v1/svc-apps/${path.replace('{app}', at.appId)}`, init)
      await asked.promise
      await at.host.users.block('ada')
      sent.resolve()
      expect((await answer).status).toBe(403)
    })

  verifies('user.block.meanwhile', 'its window is written after it', async () => {
    slow.hold('insert windows')
    const opened = at.openWindow()
    await slow.reached
    await at.host.users.block('ada')
    slow.open()
    await expect(opened).rejects.toThrow('this user is blocked on this host')
    expect(await at.host.windows.list('ada')).toEqual([])
  })

  verifies('user.block.meanwhile', 'its session is written after a sign-out everywhere', async () => {
    const window = await at.openWindow()
    slow.hold('insert sessions')
    const made = window.call('agent', 'session.create', { submode: 'auto' })
    await slow.reached
    await at.host.users.signOut('ada')
    slow.open()
    expect(await made).toMatchObject({ ok: false, error: { code: 'invalid_token' } })
    expect(await at.host.sessions.list('ada')).toEqual([])
  })

  verifies('user.block.meanwhile', 'its event stream is opened after it', async () => {
    const cookie = await at.signIn('ada')
    await clock.advance(60_000)
    slow.hold('get users')
    const answer = at.request('/api/v1/svc-apps/runtime/events', { cookie })
    await slow.reached
    await at.host.users.block('ada')
    slow.open()
    // It ends, or this waits for ever.
    await (await answer).text()
  })

  verifies('user.block.meanwhile', 'its machine says hello after it', async () => {
    const { port } = await at.host.listen(0)
    const { token } = await at.host.runners.enrol('ada', { name: 'laptop' })
    const key = generateKeyPairSync('ed25519')
    const machine = await openMachine(port, token, { hello: null, key })
    const { head } = await machine.hear('challenge')
    await at.host.users.block('ada')
    machine.wire.send({ ...proofOf(head, port, key), ...hello })
    expect((await machine.closed).code).toBe(4401)
    expect(at.host.runners.online('ada')).toEqual([])
  })
})

verifies('user.block.meanwhile', 'a job of a blocked user is not kept', async () => {
  const bed = openJobBed()
  await bed.store.insert(users, 'ada', { created_at: 0, blocked_at: 0 })
  await expect(bed.start()).rejects.toThrow('this user is blocked on this host')
  expect((await bed.store.scan(jobs, 'activeByUser', { eq: ['ada'], limit: 1 })).rows).toEqual([])
  await bed.close()
})

verifies('user.block.meanwhile', 'a job that waits when its user is blocked is not started', async () => {
  const bed = openJobBed({ limits: { JOBS_RUNNING_PER_RUNNER: 1 } })
  const [runs, waits] = [await bed.start(), await bed.start()]
  await settled()
  await bed.store.insert(users, 'ada', { created_at: 0, blocked_at: 0 })
  bed.runner.of(runs).end(answered({}))
  await settled()
  expect(bed.runner.started.map(({ jobId }) => jobId)).toEqual([runs])
  expect(await bed.row(waits)).toMatchObject({
    state: 'cancelled',
    error: { message: 'the user was blocked' },
  })
  await bed.close()
})

verifies('user.removed.shut_out', 'a sign-in that is written after an erase is not kept', async () => {
  const slow = slowStore()
  const at = await openTestHost({ store: slow.store, secret: 's'.repeat(32) })
  slow.hold('insert users')
  const made = at.host.users.ensure('bob')
  await slow.reached
  await slow.store.insert(removedUsers, removedId('bob'), { removed_at: 0 })
  slow.open()
  await expect(made).rejects.toThrow('this user is blocked on this host')
  expect(await slow.store.get(users, 'bob')).toBeNull()
  await at.close()
})

verifies('user.sign_out', 'a cookie of a host whose clock is ahead is void as well', async () => {
  const [clock, ahead] = [frozenClock(), frozenClock()]
  await ahead.advance(1_500)
  const shared = { store: memoryStore(), blobs: memoryBlobs(), bus: memoryBus({ clock }) }
  const ports = { ...shared, secret: 's'.repeat(32) }
  const here = await openTestHost({ ...ports, clock })
  const there = await openTestHost({ ...ports, clock: ahead, user: 'bob' })
  const cookie = await there.signIn('ada')
  await here.host.users.signOut('ada')
  expect((await there.request('/api/v1/svc-apps/windows', { cookie })).status).toBe(401)
  await there.close()
  await here.close()
})
