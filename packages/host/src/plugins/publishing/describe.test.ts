import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract'
import { failure, type PluginSpec } from '@svc/runner'
import { expect, test } from 'vitest'
import { named, npm, publishingBed } from '../../testing/publishing.ts'
import { describes, handRunner, readyRunner } from '../../testing/runners.ts'
import { refusal } from '../../testing/services.ts'

const distribution = npm
const READY = () => ({ ok: true }) as const

verifies(
  'plug.manifest.described',
  'a runner of the user says what the plugin is, and nothing is made',
  async () => {
    const { publishing, runners } = publishingBed()
    const input_schema = { type: 'object', properties: { city: { type: 'string' } } }
    const description = {
      name: 'weather',
      version: '2.0.0',
      tools: [
        { name: 'derived', parameters: [{ name: 'city', type: 'string' }], input_schema },
        { name: 'own', parameters: [], input_schema, timeout_ms: 5_000 },
      ],
      host_capabilities: ['llm.sample'],
    }
    runners.connect('ada', handRunner({ install: READY, describe: () => ({ ok: true, description }) }))
    // A schema that only says what the parameters say is not published with them.
    const manifest = {
      ...description,
      tools: [{ name: 'derived', parameters: [{ name: 'city', type: 'string' }] }, description.tools[1]],
    }
    expect(await publishing.describe('ada', { distribution })).toEqual({ manifest })
    expect((await publishing.own('ada')).plugs).toEqual([])
    const { draft_id } = await publishing.mint('ada', named)
    const made = await publishing.commit('ada', draft_id, { distribution })
    expect(made).toMatchObject({ version: '2.0.0', manifest })
    expect(await publishing.create('ada', { ...named, distribution })).toMatchObject({
      version: '2.0.0',
      manifest,
    })
  },
)

test('the runner of another user is not asked', async () => {
  const { publishing, runners } = publishingBed()
  const bobs = readyRunner('forecast')
  runners.connect('bob', bobs)
  expect(await refusal(publishing.describe('ada', { distribution }))).toMatch(
    /^agent_unavailable: no runner of this user is online/,
  )
  expect(bobs.installs).toEqual([])
})

test('of several runners the first that can is heard, and the last reason is told where none can', async () => {
  const { publishing, runners } = publishingBed()
  const cannot = (message: string) => handRunner({ install: () => failure('plug_unavailable', message) })
  runners.connect('ada', cannot('no npm here'))
  const second = runners.connect('ada', readyRunner('forecast'))
  expect(await publishing.describe('ada', { distribution })).toMatchObject({ manifest: { name: 'weather' } })
  runners.cut(second)
  runners.connect('ada', cannot('no such package'))
  expect(await refusal(publishing.describe('ada', { distribution }))).toBe(
    'plug_unavailable: no such package',
  )
})

test('a plugin that cannot be installed is called so, not by the id that it has for this', async () => {
  const { publishing, runners } = publishingBed()
  const details = { hint: 'Name one by executable_name.' }
  runners.connect(
    'ada',
    handRunner({
      install: ({ id }) =>
        failure('plug_unavailable', `${id} could not be installed (npm): it has none`, details),
    }),
  )
  await expect(publishing.describe('ada', { distribution })).rejects.toMatchObject({
    message: 'the plugin could not be installed (npm): it has none',
    details,
  })
})

test('what a plugin says of itself is held to the rules of a manifest', async () => {
  const { publishing, runners } = publishingBed()
  const description = { name: 'x'.repeat(81), tools: [] }
  runners.connect('ada', handRunner({ install: READY, describe: () => ({ ok: true, description }) }))
  expect(await refusal(publishing.describe('ada', { distribution }))).toMatch(
    /^invalid_arg: the plugin's response to describe cannot be published: manifest.name/,
  )
})

test('a runner that never answers is waited for so long and no longer; who leaves waits no longer at all', async () => {
  const { publishing, runners, clock } = publishingBed()
  const runner = handRunner()
  runners.connect('ada', runner)
  const asked = refusal(publishing.describe('ada', { distribution }))
  const leaving = new AbortController()
  const left = publishing.describe('ada', { distribution }, { signal: leaving.signal })
  await clock.advance(limits.INSTALL_TIMEOUT_MS)
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await clock.advance(limits.DESCRIBE_TIMEOUT_MS)
  expect(await asked).toMatch(/^plug_unavailable: the plugin did not return its description within/)
  expect(runner.installs.map(({ signal }) => signal?.aborted)).toEqual([true, true])
  expect(clock.timers).toBe(0)
})

verifies('plug.commit.left', 'who leaves takes the question and the plugin with him', async () => {
  const { publishing, runners } = publishingBed()
  const runner = handRunner({ describe: () => describes('forecast') })
  runners.connect('ada', runner)
  const { draft_id } = await publishing.mint('ada', named)
  const leaving = new AbortController()
  const { signal } = leaving
  const left = Promise.allSettled([
    publishing.commit('ada', draft_id, { distribution }, { signal }),
    publishing.create('ada', { ...named, distribution }, { signal }),
  ])
  await expect.poll(() => runner.installs).toHaveLength(2)
  leaving.abort(new Error('gone'))
  expect(await left).toMatchObject([{ reason: { message: 'gone' } }, { reason: { message: 'gone' } }])
  expect(runner.installs.map(({ signal }) => signal?.aborted)).toEqual([true, true])
  expect((await publishing.own('ada')).plugs).toEqual([])
  runner.auto.install = READY
  expect(await publishing.commit('ada', draft_id, { distribution })).toMatchObject({ name: named.name })
})

verifies('plug.describe.bounded', 'so many at a time, and no more wait', async () => {
  const { publishing, runners } = publishingBed()
  const runner = handRunner({ describe: () => describes('forecast') })
  runners.connect('ada', runner)
  const asked = Array.from({ length: limits.DESCRIBES_PER_USER }, () =>
    publishing.describe('ada', { distribution }),
  )
  expect(await refusal(publishing.create('ada', { ...named, distribution }))).toBe(
    'rate_limited: a user may have 4 plugins described at a time',
  )
  expect(await refusal(publishing.describe('bob', { distribution }))).toMatch(/^agent_unavailable/)
  for (const { answer } of runner.installs) answer({ ok: true })
  await Promise.all(asked)
  runner.auto.install = READY
  expect(await publishing.describe('ada', { distribution })).toMatchObject({ manifest: { name: 'weather' } })
})

verifies(
  'plug.describe.bounded',
  'a package without a version is installed anew when it is asked for later',
  async () => {
    const { publishing, runners, clock } = publishingBed()
    const seen: string[] = []
    const describe = ({ version }: PluginSpec) => {
      seen.push(version)
      return describes('forecast')
    }
    runners.connect('ada', handRunner({ install: READY, describe }))
    await publishing.describe('ada', { distribution })
    await publishing.describe('ada', { distribution })
    await clock.advance(limits.INSTALL_RETRY_MS)
    await publishing.describe('ada', { distribution })
    expect(seen[1]).toBe(seen[0])
    expect(seen[2]).not.toBe(seen[0])
  },
)

test.each([
  [{}, /^invalid_arg: distribution/],
  [{ distribution: { type: 'npm', package_name: '--global' } }, /^invalid_arg: distribution.package_name/],
  [
    {
      distribution: {
        type: 'binary',
        urls: { 'linux-x64': { url: 'http://a.b/c', sha256: '0'.repeat(64) } },
        executable_name: 'x',
      },
    },
    /^invalid_arg: distribution.urls.linux-x64.url/,
  ],
])('%j is refused before any runner is asked', async (input, sentence) => {
  const { publishing, runners } = publishingBed()
  const runner = handRunner()
  runners.connect('ada', runner)
  expect(await refusal(publishing.describe('ada', input))).toMatch(sentence)
  expect(runner.installs).toEqual([])
})
