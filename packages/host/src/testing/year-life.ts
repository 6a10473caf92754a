import { runs } from '../catalog/run-row.ts'
import { answered } from './jobs-runner.ts'
import { grants, manifest, type OpenWindow, type Person, type YearHost } from './year-host.ts'

const base = '/api/v1/svc-apps'
const bytesOf = (text: string) => Buffer.from(text).toString('base64')
/** The number of a day, as long as any other: what is kept has the same size each week. */
const textOf = (day: number) => String(day).padStart(3, '0')

async function push(who: Person, appId: string, text: string): Promise<void> {
  const files = { 'index.html': bytesOf(text), 'same.js': bytesOf('same') }
  await who.ask('PUT', `${base}/apps/${appId}/draft`, { manifest: manifest('Notes'), files })
}
const install = (who: Person, app_id: string, version: string): Promise<{ install_id: string }> =>
  who.ask('POST', `${base}/installs`, { app_id, version, grants })
async function newApp(who: Person, slug: string): Promise<string> {
  const { app_id } = await who.ask('POST', `${base}/apps`, { slug, name: 'Notes' })
  await push(who, app_id, '<p>first day')
  await install(who, app_id, '0.0.0-draft')
  return app_id
}

/** Ada's app, with a release that others can install, and all that it will ask her allowed for good. */
export async function setUp(year: YearHost): Promise<string> {
  const ada = await year.signIn('ada')
  const appId = await newApp(ada, 'notes')
  await year.host().apps.release('ada', appId, '1.0.0')
  const window = await ada.open(appId)
  const wiped = wipe(window)
  const asked = () => year.lastEvent('ada', 'tool_approval')
  await year.until(async () => (await asked()) !== undefined)
  await ada.ask('POST', `${base}/approvals/${(await asked())?.approval_id}`, { answer: 'always' })
  await wiped
  return appId
}

const wipe = (window: OpenWindow) => window.call('tools', 'invoke', { tool_id: 'build', method: 'wipe' })

interface Day {
  readonly year: YearHost
  readonly ada: Person
  readonly window: OpenWindow
  readonly day: number
  readonly appId: string
}

async function values({ day, window }: Day): Promise<void> {
  await window.call('storage', 'set', { key: `until ${textOf(day)}`, value: day, ttl_seconds: 60 })
  await window.call('storage', 'set', { key: 'own', value: textOf(day) })
  await window.call('storage', 'set', { key: `gone ${textOf(day)}`, value: 1 })
  await window.call('storage', 'delete', { key: `gone ${textOf(day)}` })
  await window.call('storage', 'set', { key: 'all', value: textOf(day), scope: 'shared' })
}

async function files({ ada, day, window }: Day): Promise<void> {
  await window.call('files', 'write', { path: 'kept.txt', text: `of day ${textOf(day)}` })
  await window.call('files', 'write', { path: `gone ${textOf(day)}.txt`, text: `gone on day ${day}` })
  await window.call('files', 'delete', { path: `gone ${textOf(day)}.txt` })
  const upload = { mime: 'text/plain', purpose: 'test' }
  const sent = await window.call('upload', 'inline', { ...upload, bytes_b64: bytesOf(`day ${day}`) })
  await window.call('upload', 'delete', { file_ref: sent.file_ref })
  await window.call('upload', 'negotiate', { ...upload, size_bytes: 9 })
  const { upload_url } = await window.call('upload', 'negotiate', { ...upload, size_bytes: 3 })
  await ada.ask('PUT', upload_url, Buffer.from('abc'))
}

async function sessions({ window, year }: Day): Promise<void> {
  const { app_session_uuid } = await window.call('agent', 'session.create', { submode: 'auto' })
  const { stream_id } = await window.call('agent', 'session.run', {
    app_session_uuid,
    content: 'good morning',
  })
  // The first one of a host loads modules, which takes time of the machine.
  await year.until(async () => {
    const { rows } = await year.ports.store.scan(runs, 'byStream', { eq: [stream_id], limit: 1 })
    return rows[0]?.row.stream_closed === true
  })
  await window.call('agent', 'session.create', { submode: 'auto' })
}

async function tools({ window, year }: Day): Promise<void> {
  await window.call('tools', 'invokeAsync', { tool_id: 'build', method: 'all' })
  await year.until(() => year.runner.started.length > 0)
  for (const job of year.runner.started.splice(0)) {
    job.tell({ n: 1 })
    job.end(answered({ ok: true }))
  }
  await wipe(window)
  await window.call('credentials', 'request', { name: 'BUILD_KEY' })
}

async function releases({ ada, appId, day, year }: Day): Promise<void> {
  const { apps } = year.host()
  await push(ada, appId, `<p>day ${textOf(day)}`)
  await push(ada, appId, `<p>evening ${textOf(day)}`)
  const versionOf = (one: number) => `1.1${textOf(one)}.0`
  await apps.release('ada', appId, versionOf(day))
  const bob = await year.signIn('bob')
  await install(bob, appId, versionOf(day))
  if (day > 7) await apps.removeRelease('ada', appId, versionOf(day - 7))
  const other = await newApp(ada, 'other')
  const window = await ada.open(other)
  await window.call('storage', 'set', { key: 'k', value: 1 })
  await window.call('storage', 'delete', { key: 'k' })
  await window.call('files', 'write', { path: 'a.txt', text: `of day ${textOf(day)}` })
  await apps.remove('ada', other)
}

async function publishing({ day, year }: Day): Promise<void> {
  const { publishing: plugs, runners } = year.host()
  const skill = { name: 'Skill', type: 'skill', readme: 'read me', visibility: 'public' }
  const { tool_id } = await plugs.create('ada', { ...skill, manifest: { name: 'Skill', tools: [] } })
  await plugs.publish('ada', tool_id, { manifest: { name: `Skill of day ${textOf(day)}`, tools: [] } })
  await plugs.remove('ada', tool_id)
  await plugs.mint('ada', { name: 'Draft', type: 'skill' })
  const { runner_id } = await runners.enrol('ada', { name: 'laptop' })
  await runners.revoke('ada', runner_id)
}

async function refusals({ ada, window }: Day): Promise<void> {
  const code = await window.refused('web', 'search', { query: 'cats' })
  if (code !== 'permission_denied') throw new Error(`web.search was answered with ${code}`)
  await ada.ask('DELETE', `${base}/windows/${window.uuid}`)
}

const parts = [values, files, sessions, tools, releases, publishing, refusals]

/** What Ada does on a day: a part of all on each day of the week. Most windows are left open, until they are silent for long. */
export async function oneDay(year: YearHost, appId: string, day: number): Promise<void> {
  const ada = await year.signIn('ada')
  const window = await ada.open(appId)
  await parts[day % parts.length]?.({ year, ada, window, day, appId })
}

/** Somebody comes once, tries the app and leaves nothing but the name. */
export async function visit(year: YearHost, appId: string, user: string): Promise<void> {
  const guest = await year.signIn(user)
  const { install_id } = await install(guest, appId, '1.0.0')
  const window = await guest.open(appId)
  await window.call('storage', 'set', { key: 'own', value: user })
  await guest.ask('DELETE', `${base}/installs/${install_id}`)
}
