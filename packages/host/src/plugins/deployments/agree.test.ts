import { verifies } from '@svc/conformance/verifies'
import { describe, expect, test } from 'vitest'
import { tools } from '../../edge/handlers/tools.ts'
import { answered, plugOf, refusalOf, scene } from '../../testing/consent.ts'
import { answered as jobAnswered } from '../../testing/jobs-runner.ts'
import { openPluginBed } from '../../testing/plugins.ts'
import { describes, handRunner } from '../../testing/runners.ts'

verifies('wall.consent.own', 'a plugin of the own needs no word, nor does one of the operator', async () => {
  const runner = handRunner({ install: () => ({ ok: true }), describe: () => describes('forecast') })
  const bed = openPluginBed({}, { plugins: [{ slug: 'stats', command: ['stats'] }], runner })
  bed.runners.connect('ada', runner)
  const toolId = await bed.publish('ada')
  const app = await bed.openWith('ada', await bed.app('ada', [toolId, 'stats']), {})
  await bed.services.plugins.ready()
  expect(await bed.invoke(app, toolId)).toMatch(/^1\.0\.0/)
  expect((await bed.services.apps.installs('ada'))[0]).toMatchObject({
    asks: {},
    plugs: [
      { consent: 'none', terms: null },
      { consent: 'none', terms: null },
    ],
  })
})

describe('what an install asks for', () => {
  verifies(
    'wall.consent.terms',
    'names each plugin of another in words, and is what an install takes',
    async () => {
      const at = await scene()
      await at.openAs()
      const read = async () => (await at.services.apps.installs('ada'))[0]
      const terms = {
        author: 'eve',
        version: '1.0.0',
        digest: expect.stringMatching(/^[0-9a-f]{32}$/),
        distribution: expect.stringContaining('npm package'),
        reach: 'It may reach no host and no folder but its own.',
      }
      expect(await read()).toMatchObject({
        grants: {},
        asks: { plugs: [{ ...plugOf(at), digest: terms.digest }] },
        plugs: [{ tool_id: at.toolId, kind: 'optional', consent: 'asked', terms }],
      })
      await at.openAs((await read())?.asks)
      expect(await read()).toMatchObject({ plugs: [{ consent: 'agreed', terms }] })
      await at.openAs({ plugs_never: [at.toolId] })
      expect(await read()).toMatchObject({ plugs: [{ consent: 'never', terms }] })
    },
  )

  verifies.each('wall.consent.terms')([
    ['another version', { version: '0.9.0' }, 'conflict'],
    ['another digest', { version: '1.0.0', digest: '0'.repeat(32) }, 'conflict'],
    [
      'a plugin that is not declared',
      { tool_id: `tool-eve-x-${'0'.repeat(26)}`, version: '1.0.0' },
      'invalid_arg',
    ],
  ])('is not given by %s', async (_name, change, code) => {
    const at = await scene()
    expect(await refusalOf(at.openAs({ plugs: [{ ...plugOf(at), ...change }] }))).toMatchObject({ code })
    const app = await at.openAs()
    const answer = { ...plugOf(at), ...change, answer: 'always' } as const
    expect(await refusalOf(at.services.apps.agree('ada', app.windowUuid, answer))).toMatchObject({
      code: code === 'invalid_arg' ? 'not_found' : code,
    })
    expect(await refusalOf(at.services.apps.agree('bob', app.windowUuid, answer))).toMatchObject({
      code: 'not_found',
    })
  })

  test('a plugin that is hidden reads like one that nobody has', async () => {
    const at = await scene()
    await at.services.publishing.edit('eve', at.toolId, { visibility: 'private' })
    const nobody = `tool-eve-x-${'0'.repeat(26)}`
    const said = async (tool_id: string) =>
      (await refusalOf(at.openAs({ plugs: [{ tool_id, version: '1.0.0' }] })))?.message
    expect((await said(at.toolId))?.replace(at.toolId, nobody)).toBe(await said(nobody))
  })
})

verifies('wall.consent', 'an agreement that is taken back ends what was under way', async () => {
  const at = await scene()
  const { services, runner } = at
  runner.auto = {}
  const app = await answered(at, 'always')
  await at.list(app)
  expect(runner.installs).toHaveLength(1)
  await services.apps.agree('ada', app.windowUuid, { ...plugOf(at), answer: 'never' })
  expect(runner.installs[0]?.signal?.aborted).toBe(true)
  services.plugins.sweep()
  expect(runner.installs).toHaveLength(1)
})

verifies('wall.consent.told', 'windows of the app hear that their tools are others', async () => {
  const at = await scene()
  const app = await at.openAs()
  await at.told()
  await at.services.apps.agree('ada', app.windowUuid, { ...plugOf(at), answer: 'always' })
  expect(await at.told()).toContain(app.windowUuid)
})

verifies(
  'wall.consent',
  'a job whose agreement is taken back before it begins fails, and is not started',
  async () => {
    const at = await scene({ JOBS_RUNNING_PER_RUNNER: 1 })
    const { services, runner, toolId } = at
    const started: string[] = []
    let end = () => {}
    runner.job = ({ jobId }) => {
      started.push(jobId)
      return new Promise((done) => {
        end = () => done(jobAnswered({}))
      })
    }
    const app = await answered(at, 'always')
    const context = await at.context(app)
    const start = async () => {
      const accepted = await tools.invokeAsync({ tool_id: toolId, method: 'forecast' }, context)
      if (!('jobId' in accepted)) throw new Error('the job was not accepted')
      return accepted.jobId
    }
    const [first, second] = [await start(), await start()]
    await services.apps.agree('ada', app.windowUuid, { ...plugOf(at), answer: 'never' })
    end()
    await services.clock.advance(0)
    const jobs = { userId: 'ada', appId: at.appId }
    const read = async () => JSON.parse(await services.jobs.get(jobs, second, { after: 0, limit: 1 }))
    await expect.poll(read).toMatchObject({ state: 'failed', error: { code: 'permission_denied' } })
    expect(started).toEqual([first])
  },
)
