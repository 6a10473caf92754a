import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { failure } from '@svc/runner'
import { describe, expect, test } from 'vitest'
import { openPluginBed } from '../../testing/plugins.ts'
import { weather } from '../../testing/publishing.ts'
import { describes, handRunner, readyRunner } from '../../testing/runners.ts'

const READY = { ok: true } as const
const NO_PACKAGE = failure('plug_unavailable', 'npm has no package weather-plugin', {
  hint: 'Put package_name right.',
})
const NO_PACKAGE_TOLD = `${NO_PACKAGE.message}. Put package_name right.`

/** Ada's plugin and her app that declares it, open; a runner of hers that a test answers for. */
async function open(change = {}) {
  const bed = openPluginBed(change)
  const toolId = await bed.publish('ada')
  const window = await bed.open('ada', await bed.app('ada', [toolId]))
  await bed.told()
  const runner = handRunner()
  /** Answers the oldest question that waits. */
  const answer = async (kind: 'installs' | 'describes', outcome: object) => {
    runner[kind].shift()?.answer(outcome as never)
    await bed.services.clock.advance(0)
  }
  const known = () => bed.services.plugins.find({ userId: 'ada', version: null }, toolId)
  return { ...bed, toolId, window, runner, answer, known, listed: () => bed.list(window) }
}

verifies(
  ['tools.status.deployed', 'tools.entry.status'],
  'a plugin is deploying while it is installed and described, then available',
  async () => {
    const { runners, runner, answer, listed, told, window, invoke, toolId } = await open()
    expect(await listed()).toEqual(['The weather. unavailable'])
    expect(await invoke(window, toolId)).toMatch(/^agent_unavailable/)
    runners.connect('ada', runner)
    expect(await told()).toEqual([window.windowUuid])
    expect(await listed()).toEqual(['The weather. deploying'])
    // It can be called at once: the runner lets the call wait for the install.
    expect(await invoke(window, toolId)).toMatch(/^1\.0\.0/)
    await answer('installs', READY)
    expect(await listed()).toEqual(['The weather. deploying'])
    expect(await told()).toEqual([])
    await answer('describes', describes('forecast'))
    expect(await told()).toEqual([window.windowUuid])
    expect(await listed()).toEqual(['The weather. available'])
    expect(runner.installs).toEqual([])
  },
)

verifies(
  ['tools.status.deployed', 'error.plug_unavailable'],
  'what cannot be installed is unavailable, with the reason, and is tried again after pauses',
  async () => {
    const { runners, runner, answer, listed, told, window, invoke, toolId, known, services } = await open()
    runners.connect('ada', runner)
    await listed()
    await told()
    await answer('installs', NO_PACKAGE)
    expect(await told()).toEqual([window.windowUuid])
    expect(await listed()).toEqual(['The weather. unavailable'])
    expect(await known()).toMatchObject({ status: 'unavailable', problem: NO_PACKAGE_TOLD })
    expect(await invoke(window, toolId)).toMatch(/^plug_unavailable: .*npm has no package/)
    expect(runner.installs).toEqual([])
    await services.clock.advance(limits.DESCRIBE_RETRY_MS - 1)
    await listed()
    expect(runner.installs).toEqual([])
    await services.clock.advance(1)
    services.plugins.sweep()
    expect(runner.installs).toHaveLength(1)
    expect(await told()).toEqual([window.windowUuid])
    await answer('installs', NO_PACKAGE)
    // The second pause is twice as long; who calls is not made to wait for it.
    await services.clock.advance(limits.DESCRIBE_RETRY_MS)
    services.plugins.sweep()
    expect(runner.installs).toEqual([])
    await listed()
    expect(runner.installs).toHaveLength(1)
  },
)

test('a process that does not answer describe makes it unavailable', async () => {
  const { runners, runner, answer, listed, known } = await open()
  runners.connect('ada', runner)
  await listed()
  await answer('installs', READY)
  await answer('describes', failure('plug_unavailable', 'it ended at once'))
  expect(await known()).toMatchObject({ status: 'unavailable', problem: 'it ended at once' })
})

verifies('stdio.stderr.last', 'what it said last is for its owner, and for no app', async () => {
  const { runners, runner, answer, listed, known, services, window, invoke, toolId } = await open()
  runners.connect('ada', runner)
  await listed()
  await answer('installs', READY)
  const stderr = `No module \u001b[31mnamed\u202e ${'x'.repeat(500)}`
  await answer('describes', failure('plug_error', 'it ended at once.', { exit_code: 1, stderr }))
  const { problem } = await services.publishing.get('ada', toolId)
  expect(problem).toMatch(/^it ended at once \(its stderr: No module named\\u202e x+\)$/)
  expect(problem?.length).toBeLessThan(300)
  expect(await known()).toMatchObject({ status: 'unavailable', problem: 'it ended at once.' })
  expect(await invoke(window, toolId)).not.toContain('No module')
})

test('tools of the manifest that the process does not know are told', async () => {
  const { runners, runner, answer, listed, known } = await open()
  runners.connect('ada', runner)
  await listed()
  await answer('installs', READY)
  await answer('describes', describes('other'))
  expect(await known()).toMatchObject({
    status: 'available',
    problem: 'its process does not have these tools of its manifest: forecast',
  })
})

describe('nothing is deploying for ever', () => {
  test.each(['installs', 'describes'] as const)('a runner that never answers %s', async (kind) => {
    const { runners, runner, answer, listed, known, services } = await open()
    runners.connect('ada', runner)
    await listed()
    if (kind === 'describes') await answer('installs', READY)
    await services.clock.advance(limits.INSTALL_TIMEOUT_MS + limits.DESCRIBE_TIMEOUT_MS)
    expect(await known()).toMatchObject({
      status: 'unavailable',
      problem: expect.stringContaining('was not ready within'),
    })
    expect(runner[kind][0]?.signal?.aborted).toBe(true)
    expect(services.clock.timers).toBe(0)
  })

  test('a runner that breaks down', async () => {
    const { runners, runner, listed, known, services } = await open()
    runners.connect('ada', runner)
    await listed()
    runner.installs[0]?.answer(new Error('broken'))
    await services.clock.advance(0)
    expect(await known()).toMatchObject({ status: 'unavailable', problem: 'broken' })
  })

  test('a runner that goes while it installs, and comes again', async () => {
    const { runners, runner, answer, listed, told, window, services } = await open()
    const link = runners.connect('ada', runner)
    await listed()
    await told()
    runners.cut(link)
    expect(await told()).toEqual([window.windowUuid])
    expect(await listed()).toEqual(['The weather. unavailable'])
    expect(runner.installs[0]?.signal?.aborted).toBe(true)
    expect(services.clock.timers).toBe(0)
    runners.connect('ada', runner, link.id)
    expect(await listed()).toEqual(['The weather. deploying'])
    // What the lost link still answers is not heard.
    await answer('installs', NO_PACKAGE)
    expect(await listed()).toEqual(['The weather. deploying'])
    await answer('installs', READY)
    await answer('describes', describes('forecast'))
    expect(await listed()).toEqual(['The weather. available'])
  })
})

describe('of several runners', () => {
  test('the one that has it is called, and one more or less of them tells nobody', async () => {
    const { runners, runner, listed, told, known, window, services } = await open()
    const ready = readyRunner('forecast')
    const first = runners.connect('ada', runner)
    await listed()
    await told()
    const second = runners.connect('ada', ready)
    expect(await told()).toEqual([])
    await listed()
    expect(await told()).toEqual([window.windowUuid])
    expect((await known())?.link).toBe(second)
    runners.cut(first)
    expect(await told()).toEqual([])
    expect(await listed()).toEqual(['The weather. available'])
    const third = runners.connect('ada', readyRunner('forecast'))
    await listed()
    await services.clock.advance(0)
    expect((await known())?.links).toEqual([second, third])
    expect(await told()).toEqual([])
    runners.cut(second)
    runners.cut(third)
    expect(await told()).toEqual([window.windowUuid])
  })

  test('of two that have it the one with fewer busy processes is called', async () => {
    const { runners, listed, known, services } = await open()
    const busy = {
      ...readyRunner('forecast'),
      stats: () => ({ processes: 2, busy: 2, waiting: 0, noise: 0 }),
    }
    runners.connect('ada', {
      ...busy,
      install: async () => READY,
      describe: async () => describes('forecast'),
    })
    const idle = runners.connect('ada', readyRunner('forecast'))
    await listed()
    await services.clock.advance(0)
    expect((await known())?.link).toBe(idle)
  })
})

test('a plugin never runs on the runner of another user', async () => {
  const { runners, publish, app, open: openApp, list, services } = await open()
  const bobs = handRunner()
  runners.connect('bob', bobs)
  const toolId = await publish('ada', { visibility: 'public' })
  await list(await openApp('ada', await app('ada', [toolId])))
  expect(bobs.installs).toEqual([])
  await list(await openApp('bob', await app('bob', [toolId])))
  expect(bobs.installs.map(({ plugin }) => plugin.id)).toEqual([toolId])
  expect(services.runners.online('ada')).toEqual([])
})

verifies(
  ['plug.standing', 'plug.live.redeployed'],
  'the owner reads how it stands, and an edit is deployed anew',
  async () => {
    const { runners, runner, answer, services, toolId } = await open()
    const standing = async () => {
      const { status, problem } = await services.publishing.get('ada', toolId)
      const [listed] = (await services.publishing.own('ada', { limit: 1 })).plugs
      expect(listed).toMatchObject({ status, problem })
      return [status, problem]
    }
    expect(await standing()).toEqual(['unavailable', 'no runner of this user is online'])
    runners.connect('ada', runner)
    expect(await standing()).toEqual(['unavailable', 'it is installed when an app first asks for it'])
    expect(runner.installs).toEqual([])
    const edited = await services.publishing.edit('ada', toolId, { manifest: weather('Edited.') })
    expect(edited).toMatchObject({ status: 'deploying', problem: null })
    await answer('installs', NO_PACKAGE)
    expect(await standing()).toEqual(['unavailable', NO_PACKAGE_TOLD])
    await services.publishing.edit('ada', toolId, {
      distribution: { type: 'npm', package_name: 'right', version: '1.0.0' },
    })
    expect(runner.installs[0]?.plugin).toMatchObject({ distribution: { package_name: 'right' } })
    await answer('installs', READY)
    await answer('describes', describes('forecast'))
    expect(await standing()).toEqual(['available', null])
    // What no content of the plugin changed deploys nothing.
    await services.publishing.edit('ada', toolId, { name: 'Sky' })
    expect(await standing()).toEqual(['available', null])
  },
)

test('what an edit put in the place of another is not deployed any more', async () => {
  const { runners, runner, services, toolId } = await open()
  runners.connect('ada', runner)
  for (const package_name of ['a', 'b'])
    await services.publishing.edit('ada', toolId, {
      distribution: { type: 'npm', package_name, version: '1.0.0' },
    })
  expect(runner.installs.map(({ signal }) => signal?.aborted)).toEqual([true, false])
  await services.publishing.remove('ada', toolId)
  expect(runner.installs.map(({ signal }) => signal?.aborted)).toEqual([true, true])
  expect(services.clock.timers).toBe(0)
})

verifies(
  'plug.deployments.fair',
  'no more are known than there are copies: who has the most loses the oldest',
  async () => {
    const bed = openPluginBed({ PLUG_COPIES_MAX: 3 })
    const [adas, bobs] = [handRunner(), handRunner()]
    bed.runners.connect('ada', adas)
    bed.runners.connect('bob', bobs)
    await bed.publish('bob')
    for (const _ of [1, 2, 3, 4]) await bed.publish('ada')
    expect(bobs.installs.map(({ signal }) => signal?.aborted)).toEqual([false])
    expect(adas.installs.map(({ signal }) => signal?.aborted)).toEqual([true, true, false, false])
  },
)

verifies('plug.reach.hidden', 'hiding a plugin ends what the machines of others do for it', async () => {
  const bed = openPluginBed()
  const toolId = await bed.publish('ada', { visibility: 'public' })
  const app = await bed.app('ada', [toolId])
  await bed.services.apps.release('ada', app, '1.0.0')
  const [busy, failing, own] = [handRunner(), handRunner({ install: () => NO_PACKAGE }), handRunner()]
  const runners = { bob: busy, eve: failing, ada: own }
  for (const [user, runner] of Object.entries(runners)) {
    bed.runners.connect(user, runner)
    await bed.list(await bed.open(user, app, '1.0.0'))
  }
  await bed.services.clock.advance(0)
  expect([busy.installs.length, own.installs.length]).toEqual([1, 1])
  await bed.services.publishing.edit('ada', toolId, { visibility: 'private' })
  expect(busy.installs[0]?.signal?.aborted).toBe(true)
  expect(own.installs[0]?.signal?.aborted).toBe(false)
  failing.auto = {}
  await bed.services.clock.advance(limits.DESCRIBE_RETRY_MS)
  bed.services.plugins.sweep()
  expect(failing.installs).toEqual([])
})
