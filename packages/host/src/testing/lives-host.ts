import { openTestHost, testManifest } from '@svc/conformance/testing/host'
import { pause } from '@svc/node'
import { frozenClock } from '@svc/node/testing'
import type { Blobs, Bus, Store, StoreRecord } from '@svc/state'
import { memoryBlobs, memoryBus, memoryStore } from '@svc/state'
import { declines } from '../apps/configured.ts'
import { plugValues, plugValuesId } from '../catalog/plug-values.ts'
import { states } from '../catalog/records.ts'
import { runs } from '../catalog/run-row.ts'
import { approvalId, approvals } from '../plugins/approvals/approval-row.ts'
import { credentialRequests } from '../plugins/credentials/operator-credentials.ts'
import { type JobRow, jobs } from '../work/jobs/job-row.ts'
import { progressJournal } from '../work/jobs/journals.ts'

/** The token of the operator of these hosts. */
export const OPERATOR_TOKEN = 'o'.repeat(32)

const manifest = {
  host_api: {
    storage: ['*'],
    files: ['*'],
    upload: ['*'],
    agent: { session: { auto: true } },
  },
}
/** What users of these hosts allow the app. */
export const grants = { allowed_scopes: ['shared'], upload_grant: true }

/** Ports in memory that can be read whole. */
function openPorts() {
  const clock = frozenClock()
  const [under, bytes, lines] = [memoryStore(), memoryBlobs(), memoryBus({ clock })]
  const records = new Map<string, () => Promise<StoreRecord<unknown> | null>>()
  const digests = new Set<string>()
  const journals = new Set<string>()
  let writes = Number.POSITIVE_INFINITY
  let gate: { left: number; reached(): void; readonly opened: Promise<void> } | undefined
  /** Holds up the one access that a gate is for. */
  const pass = async () => {
    const passed = gate
    if (!passed) return
    passed.left -= 1
    if (passed.left >= 0) return
    gate = undefined
    passed.reached()
    await passed.opened
  }
  const mayWrite = () => {
    writes -= 1
    if (writes < 0) throw new Error('the store is gone')
  }
  const store: Store = {
    ...under,
    async get(of, id) {
      await pass()
      return under.get(of, id)
    },
    async swap(of, id, revision, row, options) {
      await pass()
      mayWrite()
      return under.swap(of, id, revision, row, options)
    },
    async remove(of, id, revision) {
      await pass()
      mayWrite()
      return under.remove(of, id, revision)
    },
    async insert(of, id, row, options) {
      await pass()
      mayWrite()
      records.set(`${of.name} ${id}`, () => under.get(of, id))
      return under.insert(of, id, row, options)
    },
  }
  const blobs: Blobs = {
    ...bytes,
    async put(one) {
      const digest = await bytes.put(one)
      digests.add(digest)
      return digest
    },
  }
  const bus: Bus = {
    ...lines,
    journal: {
      ...lines.journal,
      append(name, seq, items) {
        journals.add(name)
        return lines.journal.append(name, seq, items)
      },
    },
  }
  /** Every record, journal and blob as one text each. */
  async function all(): Promise<string[]> {
    const found: string[] = []
    for (const [name, read] of records) {
      const record = await read()
      if (record) found.push(`${name} ${JSON.stringify(record.row)}`)
    }
    for (const digest of digests) {
      const kept = await bytes.get(digest)
      if (kept) found.push(`blob ${digest} ${Buffer.from(kept).toString()}`)
    }
    for (const name of journals)
      for (const { item } of (await lines.journal.read(name, 0)).items) found.push(`journal ${name} ${item}`)
    return found.sort()
  }
  /** From now on the store takes so many writes and no more. */
  const breakAfter = (count: number) => {
    writes = count
  }
  /** Lets so many accesses of the store through, and holds the next one up until it is opened. */
  function hold(left: number) {
    const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    gate = { left, reached: reached.resolve, opened: opened.promise }
    const open = () => {
      gate = undefined
      opened.resolve()
    }
    return { reached: reached.promise, open }
  }
  return { ports: { clock, store, blobs, bus }, all, breakAfter, hold }
}

/** A host where somebody has an app that others can install. */
export async function openLives(user: string) {
  const { all, breakAfter, hold, ports } = openPorts()
  const at = await openTestHost({
    ...ports,
    secret: 's'.repeat(32),
    operatorToken: OPERATOR_TOKEN,
    storage: 'persistent',
    user,
    manifest,
    grants,
    files: { 'index.html': `<p>made by ${user}` },
  })
  await at.host.apps.release(user, at.appId, '1.0.0')
  return {
    ...at,
    ...ports,
    all,
    breakAfter,
    hold,
    live: (userId: string) => live(at, ports.store, ports.bus, userId),
  }
}

/** Makes something of a user in every collection that holds anything of users. */
async function live(
  at: Awaited<ReturnType<typeof openTestHost>>,
  store: Store,
  bus: Bus,
  userId: string,
): Promise<void> {
  const { host, appId } = at
  const cookie = await at.signIn(userId)
  await host.apps.install(userId, { app_id: appId, version: '1.0.0', grants })
  const window = await at.openWindow(undefined, { of: userId }, cookie)
  const call = async (ns: string, method: string, args: unknown) => {
    const answer = await window.call(ns, method, args)
    if (!answer.ok) throw new Error(`${ns}.${method}: ${JSON.stringify(answer)}`)
    return answer.result
  }
  await call('storage', 'set', { key: 'own', value: `of ${userId}` })
  await call('storage', 'set', { key: 'gone', value: `of ${userId}` })
  await call('storage', 'delete', { key: 'gone' })
  await call('storage', 'set', { key: `of ${userId}`, value: 1, scope: 'shared' })
  await call('files', 'write', { path: 'notes.txt', text: `notes of ${userId}` })
  const bytes_b64 = Buffer.from(`upload of ${userId}`).toString('base64')
  await call('upload', 'inline', { bytes_b64, mime: 'text/plain', purpose: 'test' })
  await call('upload', 'negotiate', { mime: 'text/plain', purpose: 'test', size_bytes: 9 })
  const session = await call('agent', 'session.create', { submode: 'auto' })
  const app_session_uuid = (session as { app_session_uuid: string }).app_session_uuid
  await call('agent', 'session.run', { app_session_uuid, content: `I am ${userId}` })
  const isOver = async () =>
    (await store.scan(runs, 'byUser', { eq: [userId], limit: 1 })).rows.every(({ row }) => row.stream_closed)
  while (!(await isOver())) await pause()
  const { app_id } = await host.apps.register(userId, { slug: 'own', name: 'Own' })
  const files = new Map([['index.html', Buffer.from(`<p>own of ${userId}`)]])
  await host.apps.pushDraft(userId, app_id, { manifest: testManifest({ name: 'Own' }), files })
  await host.publishing.mint(userId, { name: 'Draft', type: 'skill' })
  const skill = {
    name: 'Skill',
    type: 'skill',
    manifest: { name: 'Skill', tools: [] },
    readme: `by ${userId}`,
    visibility: 'public',
  }
  await host.publishing.create(userId, skill)
  await host.users.verifyPublisher(userId, `Works of ${userId}`)
  await host.runners.enrol(userId, { name: `laptop of ${userId}` })
  const what = { user_id: userId, app_id: appId, tool_id: 'odd', tool: 'echo' }
  await store.insert(approvals, approvalId(what), { ...what, created_at: 1 })
  await store.insert(declines, `${userId}\napp_other`, { user_id: userId, created_at: 1 })
  await store.insert(credentialRequests, JSON.stringify([userId, 'KEY']), { user_id: userId, asked_at: 1 })
  const given = { WHO: { value: userId, secret: false }, KEY: { value: `sk-of ${userId}`, secret: true } }
  const valued = { user_id: userId, tool_id: 'tool-odd', values: given, updated_at: 1 }
  await store.insert(plugValues, plugValuesId(userId, 'tool-odd'), valued)
  await store.insert(states, window.windowUuid, { entries: [['k', `"${userId}"`, 1]], changes: 1 })
  await store.insert(jobs, `job_${userId}`, { ...endedJob, user_id: userId, app_id: appId })
  await bus.journal.append(progressJournal(`job_${userId}`), 1, [JSON.stringify({ of: userId })])
}

const endedJob: JobRow = {
  user_id: '',
  app_id: '',
  tool_id: 'odd',
  handle: 'odd',
  plugin_version: '1.0.0',
  runner_id: 'builtin',
  agreed_once: null,
  tool: 'echo',
  args: null,
  state: 'succeeded',
  owner: { host_id: 'h', epoch: 1 },
  client_tag: null,
  origin: '',
  timeout_ms: 1,
  requested_timeout_ms: null,
  deadline_ms: 1,
  created_at: 1,
  started_at: 1,
  ended_at: 1,
  result: '"done"',
  error: null,
  last_seq: 1,
  dropped: 0,
  heartbeat_at: null,
}
