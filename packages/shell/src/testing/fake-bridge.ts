import { BridgeError, type SvcWindow } from '@svc/bridge'
import { notifyManager } from '@tanstack/react-query'
import { isActive } from '../state/job.ts'
import { isOpen } from '../state/session.ts'
import type { FakeHost } from './fake-host.ts'
import { type Listener, type Listeners, listen, tell } from './listeners.ts'
import { fakeManage, type Routes } from './manage-api.ts'
import { installOf } from './manage-rows.ts'

const view = { name: 'main', w: 400, h: 300, min_w: 200, min_h: 160, max_w: 800, max_h: 600 }
const geometry = { w: 400, h: 300, z: 1 }

const conflict = (uuid: string) =>
  new BridgeError({ code: 'conflict', message: `window ${uuid} is on this page already` })

/** What is left of a session that has ended. */
const over = { expires_in: 0, idle_expires_in: 0, max_lifetime_in: 0, active_runs: 0 }

const nobody = () => new BridgeError({ code: 'invalid_token', message: 'nobody is signed in' })

/** Makes the fake. */
export function fakeHost(): FakeHost {
  // What changed is told with the promises that a test waits for, and not by a timer.
  notifyManager.setScheduler(queueMicrotask)
  const asked: string[] = []
  const manage = fakeManage()
  manage.installs = [
    installOf('one', { app_id: 'app-1', name: 'One', views: [{ name: 'main', title: 'One' }] }),
  ]
  const open = new Set<string>()
  const onBridge: Listeners = new Map()
  const onWindow = new Map<string, Listeners>()
  let count = 0

  function put(into: Element, uuid: string, appId: string): SvcWindow {
    const table: Listeners = new Map()
    onWindow.set(uuid, table)
    // An iframe in the document would be loaded; the place of the real one is taken by a plain element.
    const body = document.createElement('i')
    into.append(body)
    const leave = () => {
      body.remove()
      onWindow.delete(uuid)
    }
    let size = geometry
    listen(table, 'geometry_changed', (event) => {
      size = { ...size, ...(event as { geometry: typeof geometry }).geometry }
    })
    return {
      windowUuid: uuid,
      appId,
      viewMeta: view,
      keep: true,
      iframe: document.createElement('iframe'),
      get geometry() {
        return size
      },
      title: `Window ${uuid}`,
      connected: true,
      // The table of types is the bridge's; the fake hands on whatever a test says.
      on: (type, listener) => listen(table, type, listener as Listener),
      async resize(wanted) {
        await fake.holdResize(wanted)
        size = { ...size, ...wanted }
        return wanted
      },
      async focus() {
        asked.push(`focus ${uuid}`)
        await fake.holdFocus
      },
      setContext: () => undefined,
      reload: () => void asked.push(`reload ${uuid}`),
      async close(reason = '', { force = false } = {}) {
        asked.push(`${force ? 'force' : 'close'} ${uuid}`)
        if (fake.staying && !force) return false
        open.delete(uuid)
        leave()
        tell(table, 'closed', { reason })
        return true
      },
      detach: leave,
    }
  }

  /** What a list is, to who is signed in. */
  async function listed<List>(list: List, hold: Promise<void> | null = null): Promise<List> {
    await hold
    if (fake.trouble) throw fake.trouble
    if (fake.user === null) throw nobody()
    return list
  }
  const routes: Routes = {
    ...manage.routes,
    'GET /api/v1/svc-apps/installs'({ query: { search = '' } = {} }) {
      if (search !== '') manage.asked.push(`installs ${search}`)
      const installs = manage.installs.filter(({ name }) => name.includes(search))
      return listed({ installs }, fake.holdInstalls)
    },
    async 'GET /api/v1/auth/whoami'() {
      if (fake.trouble) throw fake.trouble
      return { user_id: fake.user }
    },
    async 'POST /api/v1/auth/dev-login'({ body: { user } }) {
      asked.push(`sign in ${user}`)
      if (user === 'nobody') throw new BridgeError({ code: 'invalid_arg', message: 'user must be somebody' })
      fake.user = user
      return { user_id: user }
    },
    async 'POST /api/v1/auth/sign-out'() {
      if (fake.trouble) throw fake.trouble
      asked.push('sign out')
      if (!fake.ownSignIn) fake.user = null
      return {}
    },
    'GET /api/v1/svc-apps/jobs'({ query }) {
      const wanted = new Set<string>(query?.state?.split(','))
      fake.reads.push(wanted.has('running') ? 'active' : 'ended')
      const jobs = fake.jobs.filter(({ state }) => wanted.has(state))
      return listed({ jobs, truncated: false }, fake.holdJobs)
    },
    async 'POST /api/v1/svc-apps/jobs/{job_id}/cancel'({ params: { job_id: jobId }, body }) {
      const { reason = '' } = body ?? {}
      asked.push(`cancel ${jobId} ${reason}`.trim())
      const job = fake.jobs.find((one) => one.jobId === jobId)
      if (!job) throw new BridgeError({ code: 'job_not_found', message: `there is no job ${jobId}` })
      if (!isActive(job)) return { jobId, state: job.state, cancelled: false }
      const error = { code: 'cancelled', message: reason || 'cancelled' }
      fake.jobs = fake.jobs.map((one) => (one === job ? { ...one, state: 'cancelled', error } : one))
      return { jobId, state: 'cancelled', cancelled: true }
    },
    'GET /api/v1/svc-apps/sessions'({ query }) {
      const withEnded = query?.include_expired === true
      fake.sessionReads.push(withEnded ? 'all' : 'active')
      const sessions = fake.sessions.filter((one) => withEnded || isOpen(one))
      return listed({ sessions }, fake.holdSessions)
    },
    async 'POST /api/v1/svc-apps/approvals/{approval_id}'({ params, body }) {
      asked.push(`${body.answer} ${params.approval_id}`)
      return {}
    },
    async 'DELETE /api/v1/svc-apps/sessions/{app_session_uuid}'({ params: { app_session_uuid: uuid } }) {
      asked.push(`end ${uuid}`)
      if (fake.trouble) throw fake.trouble
      fake.sessions = fake.sessions.map((one) =>
        one.app_session_uuid === uuid ? { ...one, ...over, state: 'revoked' } : one,
      )
      return { deleted: true }
    },
  }
  const fake: FakeHost = {
    asked,
    open,
    manage,
    user: 'dev',
    ownSignIn: false,
    staying: false,
    upsideDown: false,
    trouble: null,
    hold: null,
    holdAttach: () => null,
    holdFocus: null,
    holdResize: () => null,
    jobs: [],
    date: null,
    holdJobs: null,
    holdInstalls: null,
    reads: [],
    sessions: [],
    holdSessions: null,
    sessionReads: [],
    tabs: {
      tell() {
        fake.tabNews += 1
      },
      hear(onNews) {
        fake.onTab = onNews
        return () => undefined
      },
    },
    tabNews: 0,
    onTab: () => undefined,
    emit: (type, payload) => tell(onBridge, type, payload),
    emitOn: (uuid, type, payload) => tell(onWindow.get(uuid), type, payload),
    async exchange(key, ...[input]) {
      const { date } = fake
      const answer = routes[key] as ((given: unknown) => Promise<never>) | undefined
      if (!answer) throw new Error(`this host has no route ${key}`)
      return { value: await answer(input ?? {}), date }
    },
    bridge: {
      async mountWindow({ into, appId }) {
        asked.push(`mount ${appId}`)
        const uuid = `w${++count}`
        open.add(uuid)
        await fake.hold
        if (onWindow.has(uuid)) throw conflict(uuid)
        return put(into, uuid, appId)
      },
      async attachWindow({ into, windowUuid }) {
        asked.push(`attach ${windowUuid}`)
        await fake.holdAttach(windowUuid)
        if (onWindow.has(windowUuid)) throw conflict(windowUuid)
        return put(into, windowUuid, 'app-1')
      },
      listWindows: async () =>
        [...open].map((uuid, at) => ({
          window_uuid: uuid,
          app_id: 'app-1',
          version: '1.0.0',
          entry_url: '/',
          view_meta: view,
          geometry: { ...geometry, z: fake.upsideDown ? open.size - at : at + 1 },
          title: `Window ${uuid}`,
        })),
      windows: [],
      on: (type, listener) => listen(onBridge, type, listener as Listener),
      dispose: () => void asked.push('dispose'),
    },
  }
  return fake
}
