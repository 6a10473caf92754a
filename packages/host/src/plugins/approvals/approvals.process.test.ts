import { openTestHost, type TestHost, type TestHostOptions } from '@svc/conformance/testing/host'
import { verifies } from '@svc/conformance/verifies'
import { type FrozenClock, frozenClock } from '@svc/node/testing'
import type { Runner } from '@svc/runner'
import { memoryBus, memoryStore } from '@svc/state'
import { afterEach, expect } from 'vitest'
import { userJournal } from '../../events/events.ts'
import { answered, testRunner } from '../../testing/jobs-runner.ts'
import { approvalId, approvals } from './approval-row.ts'

let services: TestHost
afterEach(() => services.close())

/** A host whose plugin `mail` has a tool that is marked and one that is not, and what was done. */
async function open(
  options: TestHostOptions = {},
  { name = 'Mail', tool = 'send', description = 'Sends.' }: Readonly<Record<string, string>> = {},
) {
  const done: string[] = []
  const clock: FrozenClock = frozenClock()
  const bus = memoryBus({ clock })
  const tools = [
    { name: tool, description, parameters: [], destructive: true },
    { name: 'wipe', parameters: [], destructive: true },
    { name: 'read', parameters: [] },
  ]
  const did = async ({ tool }: { tool: string }) => {
    done.push(tool)
    return answered({})
  }
  const runner: Runner = {
    ...testRunner(),
    describe: async () => ({ ok: true, description: { name, tools } }),
    call: did,
    job: did,
  }
  services = await openTestHost({
    clock,
    bus,
    runner,
    secret: 's'.repeat(32),
    plugins: [{ slug: 'mail', command: ['mail'] }],
    manifest: { required_plugs: ['mail'] },
    ...options,
  })
  await services.host.plugins.ready()
  const window = await services.openWindow()
  const events = async (type: string) => {
    const { items } = await bus.journal.read(userJournal('ada'), 0)
    return items.map(({ item }) => JSON.parse(item)).filter((event) => event.type === type)
  }
  const asked = async (count = 1) => {
    await expect.poll(async () => (await events('tool_approval')).length).toBe(count)
    return (await events('tool_approval')).at(-1)
  }
  return {
    done,
    clock,
    window,
    events,
    asked,
    invoke: (method = 'send', args: unknown = { to: 'bob' }, more: object = {}) =>
      window.call('tools', 'invoke', { tool_id: 'mail', method, args, ...more }),
    answer: (id: string, answer: unknown, cookie = window.cookie) =>
      services.request(`/api/v1/svc-apps/approvals/${id}`, {
        method: 'POST',
        cookie,
        body: JSON.stringify({ answer }),
      }),
  }
}
const denial = { ok: false, error: { code: 'permission_denied', details: { denied_by: 'approval' } } }

verifies(
  'approval.asked',
  'a destructive tool waits for the yes of its user, with its arguments shown',
  async () => {
    const at = await open()
    expect(await at.invoke('read')).toMatchObject({ ok: true })
    const calling = at.invoke('send', { to: 'bob', text: 'x'.repeat(20_000) })
    const event = await at.asked()
    expect(event).toMatchObject({
      window_uuid: at.window.windowUuid,
      app_id: services.appId,
      plugin_name: 'Mail',
      tool_name: 'send',
      description: 'Sends.',
      args_cut: true,
      args_bytes: 20_022,
      expires_at: new Date(at.clock.now() + 45_000).toISOString(),
    })
    expect(event.args_text).toHaveLength(16_000)
    expect(at.done).toEqual(['read'])
    expect((await at.answer(event.approval_id, 'once')).status).toBe(200)
    expect(await calling).toMatchObject({ ok: true })
    expect(at.done).toEqual(['read', 'send'])
    await expect
      .poll(() => at.events('tool_approval_over'))
      .toMatchObject([{ approval_id: event.approval_id }])
  },
)

verifies(
  'kept.asked',
  'of the tools that are allowed for good the newest are kept, of each app',
  async () => {
    const store = memoryStore()
    const at = await open({ store, limits: { APPROVALS_PER_APP: 2 } })
    const app_id = services.appId
    for (const [created_at, tool] of ['one', 'two'].entries()) {
      const what = { user_id: 'ada', app_id, tool_id: 'tool-eve', tool }
      await store.insert(approvals, approvalId(what), { ...what, created_at })
    }
    const calling = at.invoke()
    await at.answer((await at.asked()).approval_id, 'always')
    expect(await calling).toMatchObject({ ok: true })
    const { rows } = await store.scan(approvals, 'byApp', { eq: ['ada', app_id], limit: 10 })
    expect(rows.map(({ row }) => row.tool)).toEqual(['two', 'send'])
    expect(await at.invoke()).toMatchObject({ ok: true })
  },
)

const unseen = [
  '\u0085',
  '\u200b',
  '\u202e',
  '\u3164',
  '\u115f',
  '\uffa0',
  '\u034f',
  '\ufe0f',
  '\u17b4',
  '\u180b',
]
/** With those of two code units each. */
const hidden = [...unseen, '\u{e0041}', '\u{e0100}']
const written = String.raw`\u0085\u200b\u202e\u3164\u115f\uffa0\u034f\ufe0f\u17b4\u180b\udb40\udc41\udb40\udd00`

verifies('approval.asked', 'arguments are shown as they are, whatever they would hide', async () => {
  const at = await open()
  const args = { to: `bob${hidden.join('')}eve\u2028\u2029\n`, text: 'Zürich' }
  const calling = at.invoke('send', args)
  const { approval_id, args_text } = await at.asked()
  const to = String.raw`bob${written}eve\u2028\u2029\n`
  expect(args_text).toBe(`{\n  "to": "${to}",\n  "text": "Zürich"\n}`)
  expect(JSON.parse(args_text)).toEqual(args)
  await at.answer(approval_id, 'no')
  expect(await calling).toMatchObject(denial)
})

verifies.each('approval.asked')([
  ['short ones', '{"to":"bob","n":[]}', '{\n  "to": "bob",\n  "n": []\n}', false],
  [
    'with spaces in between',
    `{"to":"bob",${' '.repeat(200_000)}"cc":"eve"}`,
    '{\n  "to": "bob",\n  "cc": "eve"\n}',
    false,
  ],
  ['long ones', `{"to":"bob","text":"${'x'.repeat(200_000)}"}`, '{\n  "to": "bob",\n  "text": "xxx', true],
])('%s are laid out, and it is told where they are cut', async (_name, args, beginning, isCut) => {
  const at = await open()
  const body = `{"id":"1","window_uuid":"${at.window.windowUuid}","ns":"tools","method":"invoke","args":{"tool_id":"mail","method":"send","args":${args}}}`
  const calling = at.window.post(body)
  const event = await at.asked()
  expect(event).toMatchObject({ args_cut: isCut, args_bytes: isCut ? args.length : expect.any(Number) })
  expect(event.args_text.slice(0, beginning.length)).toBe(beginning)
  await at.answer(event.approval_id, 'no')
  expect((await calling).body).toMatchObject(denial)
})

verifies('approval.remembered', 'always is once where the arguments were cut, and for no other', async () => {
  const at = await open()
  const long = at.invoke('send', { text: 'x'.repeat(20_000) })
  const { approval_id } = await at.asked()
  const other = at.invoke()
  await at.asked(2)
  await at.answer(approval_id, 'always')
  expect(await long).toMatchObject({ ok: true })
  expect(at.done).toEqual(['send'])
  await at.answer((await at.asked(2)).approval_id, 'no')
  expect(await other).toMatchObject(denial)
  expect((await services.host.apps.installs('ada'))[0]?.approved).toEqual([])
})

verifies('approval.asked', 'what the plugin says of itself hides nothing, in one line', async () => {
  const said = `Zürich,${hidden.join('')}\u001b\u2028 \n\n all`
  const at = await open({}, { name: said, tool: said, description: said })
  const calling = at.invoke(said)
  const shown = String.raw`Zürich,${written}\u001b all`
  const { approval_id, ...event } = await at.asked()
  expect(event).toMatchObject({ plugin_name: shown, tool_name: shown, description: shown })
  await at.answer(approval_id, 'once')
  expect(await calling).toMatchObject({ ok: true })
  expect(at.done).toEqual([said])
})

verifies.each(['approval.refused'])([
  [
    'the user says no',
    async (at: Awaited<ReturnType<typeof open>>, id: string) => void (await at.answer(id, 'no')),
  ],
  ['nobody answers in time', (at: Awaited<ReturnType<typeof open>>) => at.clock.advance(45_000)],
] as const)('%s: the call fails and nothing was done', async (_name, end) => {
  const at = await open()
  const calling = at.invoke()
  await end(at, (await at.asked()).approval_id)
  expect(await calling).toMatchObject(denial)
  expect(at.done).toEqual([])
  // An answer that comes too late changes nothing.
  await at.answer((await at.asked()).approval_id, 'once')
  expect(at.done).toEqual([])
})

verifies(
  'approval.refused',
  'the wait is part of the time of the call, and an answer after it starts nothing',
  async () => {
    const at = await open()
    const calling = at.invoke('send', { to: 'bob' }, { timeoutMs: 1_500 })
    const { approval_id, expires_at } = await at.asked()
    expect(Date.parse(expires_at) - at.clock.now()).toBe(1_500)
    await at.clock.advance(1_500)
    expect(await calling).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('did not answer within 2 s') },
    })
    await at.answer(approval_id, 'once')
    expect(at.done).toEqual([])
  },
)

verifies(
  'approval.remembered',
  'always counts for this tool in this app, until it is uninstalled',
  async () => {
    const at = await open()
    const calls = [at.invoke(), at.invoke()]
    const { approval_id } = await at.asked(2)
    await at.answer(approval_id, 'always')
    expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: true }])
    expect(await at.invoke()).toMatchObject({ ok: true })
    const job = await at.window.call('tools', 'invokeAsync', { tool_id: 'mail', method: 'send' })
    expect(job).toMatchObject({ ok: true })
    expect(await at.events('tool_approval')).toHaveLength(2)
    const [install] = await services.host.apps.installed('ada')
    await services.host.apps.uninstall('ada', install?.install_id ?? '')
    await services.host.apps.install('ada', { app_id: services.appId, version: '0.0.0-draft' })
    const again = await services.openWindow()
    const asking = again.call('tools', 'invoke', { tool_id: 'mail', method: 'send' })
    await at.answer((await at.asked(3)).approval_id, 'no')
    expect(await asking).toMatchObject(denial)
  },
)

verifies(
  'approval.remembered',
  'always for the plugin counts for each of its tools in this app, and is listed as such',
  async () => {
    const at = await open()
    const calls = [at.invoke(), at.invoke('wipe')]
    const { approval_id } = await at.asked(2)
    await at.answer(approval_id, 'always_plugin')
    expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: true }])
    expect(await at.invoke()).toMatchObject({ ok: true })
    expect(await at.invoke('wipe')).toMatchObject({ ok: true })
    expect(await at.events('tool_approval')).toHaveLength(2)
    const [install] = await services.host.apps.installs('ada')
    expect(install?.approved).toEqual([{ tool_id: expect.stringMatching(/^tool-local-mail-/), tool: '*' }])
  },
)

verifies('approval.remembered', 'it counts for no call whose arguments were cut', async () => {
  const at = await open()
  const long = at.invoke('send', { text: 'x'.repeat(20_000) })
  await at.answer((await at.asked()).approval_id, 'always_plugin')
  expect(await long).toMatchObject({ ok: true })
  expect((await services.host.apps.installs('ada'))[0]?.approved).toEqual([])
})

verifies(
  'approval.taken_back',
  'an app is listed with what it was allowed for good, until that is taken back',
  async () => {
    const at = await open()
    const approved = async () => (await services.host.apps.installs('ada'))[0]?.approved
    const takeBack = (cookie: string) =>
      services.request(`/api/v1/svc-apps/apps/${services.appId}/approvals`, { method: 'DELETE', cookie })
    const calling = at.invoke()
    await at.answer((await at.asked()).approval_id, 'always')
    await calling
    expect(await approved()).toEqual([{ tool_id: expect.stringMatching(/^tool-local-mail-/), tool: 'send' }])
    expect((await takeBack('')).status).toBe(401)
    await takeBack(await services.signIn('eve'))
    expect(await approved()).toHaveLength(1)
    expect((await takeBack(at.window.cookie)).status).toBe(200)
    expect(await approved()).toEqual([])
    const again = at.invoke()
    await at.answer((await at.asked(2)).approval_id, 'no')
    expect(await again).toMatchObject(denial)
  },
)

verifies('approval.own', 'no other user, and no app, answers; so many questions of an app wait', async () => {
  const at = await open({ limits: { APPROVALS_WAITING_PER_APP: 1 } })
  const calling = at.invoke()
  const { approval_id } = await at.asked()
  expect(await at.invoke()).toMatchObject({ error: { code: 'rate_limited' } })
  await at.answer(approval_id, 'once', await services.signIn('eve'))
  expect((await at.answer(approval_id, 'once', '')).status).toBe(401)
  expect((await at.answer(approval_id, 'yes')).status).toBe(400)
  expect(at.done).toEqual([])
  await at.answer(approval_id, 'no')
  expect(await calling).toMatchObject(denial)
})

verifies('approval.none', 'an operator may have nobody asked', async () => {
  const at = await open({ approvals: 'none' })
  expect(await at.invoke()).toMatchObject({ ok: true })
  expect(at.done).toEqual(['send'])
})
