import { verifies } from '@svc/conformance/verifies'
import type { EventPayloads } from '@svc/contract'
import * as z from '@svc/contract/zod'
import { expect } from 'vitest'
import { installId } from '../../catalog/records.ts'
import { storage } from '../../data/storage/storage.ts'
import { openToolBed, type ToolBed } from '../../testing/session-tools.ts'
import type { AddedPlatformTool } from './platform-tools.ts'

/** Tools of an operator: one that is marked, and one that is not. */
const added = (['ring_bell', 'pay_bill'] as const).map(
  (name): AddedPlatformTool => ({
    name,
    description: 'Does it.',
    dev_safe: true,
    destructive: name === 'pay_bill',
    args: z.object({}),
    call: () => ({ done: name }),
  }),
)
const key = { key: 'k' }
/** Each platform tool, with arguments that it takes, and whether a model may call it unasked. */
const tools: readonly (readonly [name: string, args: object, asks: boolean])[] = [
  ['time_now', {}, false],
  ['storage_get', key, false],
  ['storage_set', { ...key, value: 2 }, true],
  ['storage_set', { key: 'new', value: 2 }, true],
  ['storage_list', {}, false],
  ['storage_delete', key, true],
  ['files_read', { path: 'a' }, false],
  ['web_fetch', { url: 'http://127.0.0.1/' }, false],
  ['ring_bell', {}, false],
  ['pay_bill', {}, true],
]
const names = [...new Set(tools.map(([name]) => name))]

/** An app whose agent may use all of them, and which has stored 1 under `k`. */
async function open(approvals: 'destructive' | 'none' = 'destructive') {
  const bed = await openToolBed(
    {
      host_api: { agent: { session: { auto: true, fixed: null }, tools: names } },
      grants: { agent: { platform_tools: names } },
    },
    { platformTools: added, settings: { approvals } },
  )
  const { services, windowUuid, appId } = bed
  const window = await services.copies.windows.get(windowUuid)
  const install = await services.copies.installs.get(installId('ada', appId))
  if (!window || !install) throw new Error('the app has no window')
  const caller = { services, userId: 'ada', window, install: install.row }
  await storage.set({ ...key, value: 1, scope: 'app' }, caller)
  expect(asked(bed)).toEqual([])
  const kept = async () => JSON.parse((await storage.get({ ...key, scope: 'app' }, caller)).json).value
  return Object.assign(bed, { kept })
}
const asked = ({ services }: ToolBed) =>
  services.emittedOf('tool_approval').map(({ payload }) => payload as EventPayloads['tool_approval'])
/** The question that a call asks, once it does. */
async function question(bed: ToolBed, count = 1) {
  await expect.poll(() => asked(bed)).toHaveLength(count)
  const last = asked(bed).at(-1)
  if (!last) throw new Error('nothing was asked')
  return last
}
const denied = {
  error: {
    code: 'permission_denied',
    message: expect.stringMatching(/of this host (was not used|needs a yes)/),
  },
}

verifies.each('approval.platform')(tools)('%s of %j asks: %s', async (name, args, asks) => {
  const bed = await open()
  const calling = bed.call(await bed.session(), name, args)
  if (!asks) {
    await calling
    expect(asked(bed)).toEqual([])
    return
  }
  const { approval_id, args_text, ...rest } = await question(bed)
  expect(rest).toMatchObject({ app_id: bed.appId, tool_id: 'host', plugin_name: null, tool_name: name })
  expect(JSON.parse(args_text)).toMatchObject(args)
  expect(await bed.kept()).toBe(1)
  await bed.services.approvals.answer('ada', approval_id, 'once')
  expect(await calling).toEqual({ output: expect.any(Object) })
  expect(asked(bed)).toHaveLength(1)
})

const set = { ...key, value: 2 }
const ends: readonly (readonly [
  what: string,
  end: (bed: ToolBed, approvalId: string, run: AbortController) => unknown,
  answer: unknown,
])[] = [
  ['the user says no', ({ services }, id) => services.approvals.answer('ada', id, 'no'), denied],
  [
    'another user says yes, and nobody else',
    async ({ services }, id) => {
      await services.approvals.answer('eve', id, 'always')
      await services.clock.advance(services.limits.APPROVAL_WAIT_MS)
    },
    denied,
  ],
  ['the run is cancelled', (_bed, _id, run) => run.abort(new Error('cancelled')), 'cancelled'],
]
verifies.each('approval.platform')(ends)('%s: nothing is written', async (_what, end, answer) => {
  const bed = await open()
  const run = new AbortController()
  const calling = bed
    .call(await bed.session(), 'storage_set', set, run.signal)
    .catch(({ message }) => message)
  const { approval_id } = await question(bed)
  await end(bed, approval_id, run)
  expect(await calling).toEqual(answer)
  await bed.services.approvals.answer('ada', approval_id, 'once')
  expect([await bed.kept(), bed.services.clock.timers]).toEqual([1, 0])
})

verifies(
  'approval.platform',
  'of a session without a window nobody is asked, and nothing is written',
  async () => {
    const bed = await open()
    expect(await bed.call(await bed.session({ windowUuid: null }), 'storage_set', set)).toEqual(denied)
    expect([asked(bed), await bed.kept()]).toEqual([[], 1])
  },
)

verifies('approval.platform', 'always counts for this tool in this app, until it is taken back', async () => {
  const bed = await open()
  const { approvals } = bed.services
  const session = await bed.session()
  const first = bed.call(session, 'storage_set', set)
  await approvals.answer('ada', (await question(bed)).approval_id, 'always')
  await first
  expect(await approvals.allowed('ada', bed.appId)).toEqual([{ tool_id: 'host', tool: 'storage_set' }])
  expect(await bed.call(session, 'storage_set', { ...set, value: 3 })).toEqual({ output: expect.any(Object) })
  const other = bed.call(session, 'storage_delete', key)
  await approvals.answer('ada', (await question(bed, 2)).approval_id, 'no')
  expect(await other).toEqual(denied)
  await approvals.takeBack('ada', bed.appId)
  const again = bed.call(session, 'storage_set', set)
  await approvals.answer('ada', (await question(bed, 3)).approval_id, 'no')
  expect(await again).toEqual(denied)
  expect(await bed.kept()).toBe(3)
})

verifies('approval.none', 'tools of the host too', async () => {
  const bed = await open('none')
  await bed.call(await bed.session(), 'storage_set', set)
  expect([asked(bed), await bed.kept()]).toEqual([[], 2])
})

verifies(
  'approval.refused',
  'a session whose window no page shows is refused at once, and nothing is asked',
  async () => {
    const bed = await open()
    const session = await bed.session()
    await bed.services.clock.advance(bed.services.limits.APPROVAL_UNSEEN_MS)
    const answer = await bed.call(session, 'storage_set', set)
    expect(answer).toMatchObject({
      error: { code: 'permission_denied', message: expect.stringContaining('nobody is there to answer') },
    })
    expect([asked(bed), await bed.kept()]).toEqual([[], 1])
  },
)
