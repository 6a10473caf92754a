import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { createTestHost, type TestHost, type TestHostOptions, type TestWindow } from '@svc/testing'
import { afterEach, expect, it } from 'vitest'
import { distanceKm } from '../plugin/distance.ts'
import { findPlaces, placeNamed } from '../plugin/places.ts'
import manifest from '../public/manifest.json' with { type: 'json' }
import { byId } from './by-id.ts'

type Answers = NonNullable<TestHostOptions['models']>['default']

const html = readFileSync(join(import.meta.dirname, '../index.html'), 'utf8')
/** An answer that takes 200 ms. */
const slow = { text: ['Lisbon ', 'lies ', 'west.'], everyMs: 100 }

let host: TestHost
let opened: TestWindow
let loads = 0
afterEach(() => host.close())

/** Opens the app on a host whose model gives these answers. */
async function open(answers: Answers, tools = {}): Promise<void> {
  host = await createTestHost({
    manifest,
    models: { default: answers },
    tools: {
      atlas: {
        find_place: ({ name }: { name: string }) => findPlaces(name),
        distance: ({ from, to }: { from: string; to: string }) => ({
          km: distanceKm(placeNamed(from), placeNamed(to)),
        }),
        ...tools,
      },
    },
    grants: { agent: { platform_tools: ['time_now'], inherit_host_tools: false } },
  })
  opened = await host.openWindow({ document: globalThis })
  await load()
  await host.clock.settled()
}
/**
 * Loads the document of the app, as a reload does. It has loaded when an answer that is on its way has come. The number
 * makes another module of it; `vi.resetModules()` would load the host anew too, where that is a source and no package.
 */
function load(): Promise<unknown> {
  document.documentElement.lang = 'en'
  document.body.innerHTML = html.slice(html.indexOf('<body>'))
  return import(/* @vite-ignore */ `./main.ts?${loads++}`)
}
/** Sends a message, and lets all happen that needs no time. */
async function send(text: string): Promise<void> {
  byId('text', HTMLTextAreaElement).value = text
  byId('send').click()
  await host.clock.settled()
}
const textOf = (id: string) => byId(id).textContent
/** What each answer says, with its marks and what went wrong, without the calls of tools. */
const answers = () =>
  [...document.querySelectorAll('.answer')].map((answer) =>
    [...answer.querySelectorAll('.said, .mark, .trouble')].map(({ textContent }) => textContent).join('\n'),
  )
const chats = () => [...document.querySelectorAll('.entry-name')].map(({ textContent }) => textContent)
const cardText = () => document.querySelector('.tool')?.textContent

verifies(
  'design.stream.attach',
  'shows an answer as it comes, and finds it again after a reload',
  async () => {
    await open([slow])
    expect(byId('no-chats').hidden).toBe(false)
    await send('Where is Lisbon?')
    expect([answers(), byId('stop').hidden]).toEqual([['Lisbon '], false])
    await host.clock.advance(100)
    expect(answers()).toEqual(['Lisbon lies '])
    opened.reload()
    const loaded = load()
    await expect.poll(answers).toEqual(['Lisbon lies '])
    expect(byId('stop').hidden).toBe(false)
    await host.clock.advance(100)
    await loaded
    expect([answers(), byId('stop').hidden]).toEqual([['Lisbon lies west.'], true])
    expect([textOf('news'), chats()]).toEqual(['Lisbon lies west.', ['Where is Lisbon?']])
  },
)

verifies('session.tools.names', 'shows a call of a tool with its arguments and its result', async () => {
  const call = { tool: 'atlas.distance', args: { from: 'Lima', to: 'Lima' } }
  await open([{ text: 'I look.', call }, 'It is no way at all.'])
  await send('How far is it from Lima to Lima?')
  expect(answers()).toEqual(['I look.\nIt is no way at all.'])
  expect(cardText()).toBe('distance answered{\n  "from": "Lima",\n  "to": "Lima"\n}{\n  "km": 0\n}')
})

verifies('session.tools.failure', 'shows why a tool failed, and the model goes on', async () => {
  const call = { tool: 'atlas.distance', args: { from: 'Lima', to: 'Atlantis' } }
  await open([{ call }, 'There is no such place.'])
  await send('How far is it from Lima to Atlantis?')
  expect(cardText()).toMatch(/^distance failed.*tool_failed: .*there is no place called "Atlantis"/s)
  expect(answers()).toEqual(['There is no such place.'])
})

it('shows that the plugin crashed, and the model goes on', async () => {
  const find_place = () => new Promise(() => {})
  await open([{ call: { tool: 'atlas.find_place', args: { name: 'Lima' } } }, 'I do not know.'], {
    find_place,
  })
  await send('Where is Lima?')
  expect([host.busy, answers()]).toEqual([['atlas.find_place'], ['']])
  await host.fault.killPlugin('atlas')
  expect(cardText()).toMatch(/^find_place failed.*plug_error: .*SIGKILL/s)
  expect(answers()).toEqual(['I do not know.'])
})

verifies(
  'design.sdk.run.partial',
  'stops an answer on Escape: what it said stays, and is marked',
  async () => {
    await open([slow])
    await send('Where is Lisbon?')
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    await host.clock.settled()
    expect([answers(), textOf('news')]).toEqual([['Lisbon \nCut off here.'], 'Lisbon  Stopped.'])
  },
)

it.each([
  ['a frame of it was lost', () => host.fault.loseFrame(5)],
  ['the event stream was cut', () => host.fault.cutStream()],
  ['the token of the window has expired', () => host.fault.expireToken()],
])('shows an answer whole, and sends the next message, where %s', async (_, fail) => {
  await open([slow, 'Yes.'])
  await send('Where is Lisbon?')
  await fail()
  await host.clock.advance(1_000)
  await send('Sure?')
  await host.clock.advance(1_000)
  expect([answers(), byId('trouble').hidden]).toEqual([['Lisbon lies west.', 'Yes.'], true])
})

it('is offered no clock where the user has taken it back', async () => {
  await open(['It is noon.', 'I have no clock.'])
  await send('What time is it?')
  await host.fault.denyGrant('agent')
  byId('new').click()
  await host.clock.settled()
  await send('What time is it?')
  const [before, after] = (host.questions.default ?? []).map(({ tools }) => tools.includes('time_now'))
  expect([before, after, answers()]).toEqual([true, false, ['I have no clock.']])
})

it('gives a message back that did not reach the host, and sends it once', async () => {
  await open(['Here.'])
  await host.fault.hostGone()
  await send('Where is Lisbon?')
  expect(byId('trouble').dataset.code).toBe('host_unreachable')
  expect([byId('text', HTMLTextAreaElement).value, answers()]).toEqual(['Where is Lisbon?', []])
  await host.fault.hostBack()
  await send('Where is Lisbon?')
  // The page looks for its host every ten seconds.
  await host.clock.advance(10_000)
  expect([answers(), byId('trouble').hidden, host.questions.default?.length]).toEqual([['Here.'], true, 1])
})

it('goes on in a new chat where another window has deleted this one', async () => {
  await open(['Here.', 'Still here.'])
  await send('Where is Lisbon?')
  const { svc: other } = await host.openWindow()
  for (const { app_session_uuid } of (await other.agent.session.list()).sessions)
    await other.agent.session.delete({ app_session_uuid })
  await send('Are you there?')
  expect(byId('trouble').dataset.code).toBe('APP_SESSION_REVOKED')
  byId('go-on').click()
  await host.clock.settled()
  expect([answers(), chats(), byId('trouble').hidden]).toEqual([['Still here.'], ['Are you there?'], true])
})

it('says when a quota that is used up is free again', async () => {
  await open([])
  await host.fault.spendQuota('runs_per_day')
  await send('Where is Lisbon?')
  expect(textOf('trouble')).toMatch(/^runs_per_day is \d+; .* You can go on from /)
  expect(byId('text', HTMLTextAreaElement).value).toBe('Where is Lisbon?')
})
