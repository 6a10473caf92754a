import type { Refusal } from '@svc/contract'
import { update } from '@svc/state'
import { describe, expect, it } from 'vitest'
import { runners } from '../../machines/runner-row.ts'
import type { KnownPlugin } from '../../plugins/deployments/plugins.ts'
import { scene } from '../../testing/consent.ts'
import { openPluginBed } from '../../testing/plugins.ts'
import { type TestServices, testServices } from '../../testing/services.ts'
import { checkArgs, findTool, reach } from './reach.ts'

/** How a call of ada is refused on a page of its own: code and hint. */
async function refusal(services: TestServices, name: string): Promise<string> {
  try {
    await reach(name, { services, userId: 'ada', version: null, window: null }, () => null)
    return 'reached'
  } catch (error) {
    const { code, details } = error as Refusal
    return `${code}: ${details?.hint}`
  }
}

it('tells who has no machine online how to enrol one, and of a name that leads nowhere to look at it', async () => {
  const { services, publish } = openPluginBed()
  const own = await publish('ada')
  const foreign = await publish('bob')
  expect(await refusal(services, own)).toMatch(
    /^agent_unavailable: Enrol a machine: .*Manage, Runners.*svc runner/,
  )
  const nobody = await refusal(services, `tool-eve-x-${'0'.repeat(26)}`)
  expect(nobody).toMatch(/^agent_unavailable: Look at the name/)
  expect(await refusal(services, foreign)).toBe(nobody)
})

it('tells who enrolled a machine that it is offline, and since when', async () => {
  const { services, publish } = openPluginBed()
  const own = await publish('ada')
  const { runner_id } = await services.runners.enrol('ada', { name: 'desk' })
  expect(await refusal(services, own)).toBe(
    'agent_unavailable: Your machine "desk" has never connected: start svc runner on it.',
  )
  await update(services.store, runners, runner_id, (row) =>
    row ? { ...row, last_seen_at: Date.UTC(2026, 10, 28, 14, 38) } : null,
  )
  expect(await refusal(services, own)).toBe(
    'agent_unavailable: Your machine "desk" is offline since 2026-11-28 14:38 UTC: start svc runner on it.',
  )
})

it('tells of a plugin of the operator that its host has no runner, which no user can help', async () => {
  const services = testServices({ plugins: [{ slug: 'echo', command: ['node', 'echo.ts'] }] })
  expect(await refusal(services, 'echo')).toMatch(
    /^agent_unavailable: The operator started this host without/,
  )
})

const known = (more: Partial<KnownPlugin> = {}): KnownPlugin => ({
  tool_id: 'tool-eve-sky',
  handle: 'sky',
  spec: { id: 'tool-eve-sky', version: '1.0.0', command: ['sky'] },
  status: 'available',
  description: { name: 'sky', tools: [{ name: 'look', description: 'Looks.', parameters: [] }] },
  problem: null,
  link: { id: 'rnr_1' } as never,
  ...more,
})
/** Who calls; plugins stay as they are. */
const plugins = { forCall: async (one: KnownPlugin) => one, again: async () => undefined }
const caller = { services: { plugins } } as never
const patience = () => ({}) as never
const find = (tool: string, more?: Partial<KnownPlugin>) =>
  findTool({ plugin: 'sky', tool }, known(more), caller, patience)
function refused(work: () => unknown) {
  try {
    work()
    return null
  } catch (error) {
    return error as Refusal
  }
}

describe('the tool that a call names', () => {
  it('is found in what the plugin describes', async () => {
    expect(await find('look')).toMatchObject({ tool: { name: 'look' }, plugin: { handle: 'sky' } })
  })

  it('is refused for now while the plugin has described nothing: it may be destructive', async () => {
    await expect(find('look', { description: null })).rejects.toMatchObject({
      code: 'plug_unavailable',
      message: 'the plugin "sky" has not described itself yet',
      details: { retriable: true },
    })
  })

  it('is refused where the plugin has none of that name, with those that it has', async () => {
    await expect(find('jump')).rejects.toMatchObject({
      code: 'invalid_arg',
      message: 'method "jump" is not a tool of "sky"',
      details: { tools: ['look'], hint: 'svc.tools.list() names the tools of each plugin.' },
    })
  })

  it('is refused where the plugin cannot be started, with why', async () => {
    const broken = { status: 'unavailable', problem: 'it ends at once' } as const
    await expect(find('look', broken)).rejects.toMatchObject({
      code: 'plug_unavailable',
      message: 'the plugin "sky" cannot be started: it ends at once',
    })
  })

  it('is refused where its runner went meanwhile', async () => {
    await expect(find('look', { link: null })).rejects.toMatchObject({ code: 'agent_unavailable' })
  })
})

it('names the check that denies a tool, and calls no skill', async () => {
  const { services, publish } = openPluginBed()
  const at = { services, userId: 'ada', version: null, window: null }
  const reached = async (name: string, denial: string | null) => reach(name, at, () => denial)
  await expect(reached('sky', 'Add "sky".')).rejects.toMatchObject({
    code: 'permission_denied',
    details: { denied_by: 'tool', hint: 'Add "sky".' },
  })
  const skill = await publish('ada', {
    type: 'skill',
    manifest: { name: 'notes' },
    readme: '# Notes',
    distribution: undefined,
  })
  await expect(reached(skill, null)).rejects.toMatchObject({
    code: 'invalid_arg',
    message: `"${skill}" is a skill: it has a README and no process to call`,
    details: { hint: expect.stringContaining('type "tool"') },
  })
})

it('holds a plugin of another to what its user said, and asks about the plugin that it is', async () => {
  const at = await scene()
  const { version, window } = await at.context(await at.openAs())
  const caller = { services: at.services, userId: 'ada', version, window }
  const judged: unknown[] = []
  async function reached(name: string) {
    return reach(name, caller, (plugin) => {
      judged.push(plugin)
      return null
    })
  }
  await expect(reached(at.toolId)).rejects.toMatchObject({
    details: { denied_by: 'grant', consent: 'asked' },
  })
  await expect(reached('nothing')).rejects.toMatchObject({ code: 'agent_unavailable' })
  expect(judged.slice(0, 2)).toEqual([
    expect.objectContaining({ tool_id: at.toolId, owner: 'eve' }),
    { tool_id: 'nothing', handle: 'nothing' },
  ])
})

it.each([
  ['a plugin that nobody has', true, true, 'agent_unavailable'],
  ['one that the app may not use', false, true, 'permission_denied'],
  ['one that the app may not use, near one that it may not use either', false, false, 'permission_denied'],
])('names the nearest plugin that may be used: %s', async (_, mayWrong, mayRight, code) => {
  const at = await scene()
  const { version, window } = await at.context(await at.openAs())
  const caller = { services: at.services, userId: 'ada', version, window }
  const may = (id: string) => (id === at.toolId ? mayRight : mayWrong)
  const reached = reach(at.toolId.slice(0, -2), caller, ({ tool_id }) => (may(tool_id) ? null : 'a hint'))
  const meant = expect.stringContaining(`; did you mean \`${at.toolId}\`?`)
  await expect(reached).rejects.toMatchObject({
    code,
    message: mayRight ? meant : expect.not.stringContaining(at.toolId),
  })
})

it.each([
  ['as many bytes as there may be', { a: 'é' }, 10, undefined, null],
  ['a byte too many', { a: 'é' }, 9, undefined, 10],
  ['a byte too many, in a body of one more', { a: 'é' }, 9, 10, 10],
  ['a body that cannot hold more, of which the text is not measured', { a: 'é' }, 9, 9, null],
])('args with %s', (_name, args, max, bodyBytes, size) => {
  const refusal = refused(() => checkArgs(args, max, bodyBytes))
  if (size === null) expect(refusal).toBeNull()
  else
    expect(refusal).toMatchObject({
      code: 'invalid_arg',
      message: `args must have at most ${max} bytes of JSON, got ${size}`,
      details: { size, max },
    })
})
