import { BridgeError } from '@svc/bridge'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Desk } from '../desk/desk.ts'
import { READ_GAP_MS } from '../state/queries.ts'
import type { Session } from '../state/session.ts'
import type { FakeHost } from '../testing/fake-host.ts'
import {
  button as buttonIn,
  find,
  happen,
  type OpenPage,
  openPage,
  press as pressIn,
  submitForm,
  textOf,
} from '../testing/page.ts'
import { endedOf, sessionId, sessionOf } from '../testing/session.ts'
import { READ_SESSIONS_MS, SESSIONS_PANEL } from './use-sessions.ts'

let host: FakeHost
let desk: Desk
let page: OpenPage
/** What the list of sessions waits for. */
let hold: Promise<void> | null = null

afterEach(() => page.close())

/** Opens the page with these sessions at the host, and the panel. */
async function start(...sessions: readonly Session[]): Promise<void> {
  page = await openPage((fake) => {
    fake.sessions = sessions
    fake.holdSessions = hold
  })
  ;({ host, desk } = page)
  await happen(() => desk.setPanel(SESSIONS_PANEL))
}

const pass = (ms: number) => page.pass(ms)
const text = (selector = 'aside') => textOf(selector)
const countdowns = () =>
  [...document.querySelectorAll('aside dl > div')].map(({ children }) =>
    [...children].map(({ textContent }) => textContent).join(': '),
  )
const button = (name: string) => buttonIn(name, 'aside')
const press = (name: string) => pressIn(name, 'aside')
const showEnded = () => act(async () => find<HTMLInputElement>('aside input[role=switch]')?.click())

describe('the panel of sessions', () => {
  it('helps who has none', async () => {
    await start()
    expect(text()).toContain('No session is open')
    expect(text()).toContain('agent.session')
  })

  it('says that the host is being asked, and not that there is none', async () => {
    hold = new Promise(() => undefined)
    await start()
    hold = null
    expect(text()).toContain('Loading…')
    expect(text()).not.toContain('No session')
  })

  it('shows a session: label, app, who answers, standing, runs, times', async () => {
    await start(
      sessionOf(1, { label: 'planning', active_runs: 2, submode: 'fixed', fixed_client_id: 'tool-me-a-1' }),
    )
    for (const part of ['planning', 'One · tool-me-a-1', 'at work', '2 runs under way'])
      expect(text()).toContain(part)
    expect(text('section[aria-label="Active sessions"] h3')).toBe('Active 1')
    expect(countdowns()).toEqual(['Token: 10 min', 'Idle window: held open', 'Lifetime: 24 h'])
  })

  it('counts down between two readings', async () => {
    await start(sessionOf(1, { expires_in: 60, idle_expires_in: 70, max_lifetime_in: 500 }))
    host.sessionReads.length = 0
    await pass(7_000)
    expect(countdowns()).toEqual(['Token: 53 s', 'Idle window: 1 min 3 s', 'Lifetime: 8 min 13 s'])
    expect(host.sessionReads).toEqual([])
    await pass(3_000)
    expect(host.sessionReads).toEqual(['active'])
  })

  it('is read again when a window comes and when it goes', async () => {
    await start()
    await pass(READ_GAP_MS)
    for (const step of [() => desk.open('app-1'), () => find('[aria-label="Close Window w1"]')?.click()]) {
      host.sessionReads.length = 0
      await act(async () => step())
      await pass(READ_GAP_MS)
      expect(host.sessionReads).toEqual(['active'])
    }
  })

  it('points out an end that is near', async () => {
    await start(sessionOf(1, { idle_expires_in: 30 }))
    expect(text('[data-late]')).toBe('Idle window30 s')
  })

  it('shows those that have ended behind a switch', async () => {
    await start(sessionOf(2), endedOf(1, 'expired', { label: 'old' }))
    expect(find('[aria-label="Ended sessions"]')).toBeNull()
    await showEnded()
    await pass(0)
    expect(text('[aria-label="Ended sessions"]')).toContain('old')
    expect(text('[aria-label="Ended sessions"]')).toContain('expired')
    expect(find('[aria-label="Ended sessions"] button, [aria-label="Ended sessions"] dl')).toBeNull()
    await showEnded()
    expect(find('[aria-label="Ended sessions"]')).toBeNull()
  })

  it('shows text of apps as text', async () => {
    await start(sessionOf(1, { label: '<img src=x><b>bold</b>' }))
    expect(text()).toContain('<img src=x>')
    expect(find('aside b, aside img:not([alt])')).toBeNull()
  })

  it('draws 100 sessions and says that there may be more', async () => {
    await start(...Array.from({ length: 100 }, (_, n) => sessionOf(n)))
    expect(document.querySelectorAll('[data-heading^=session-]')).toHaveLength(100)
    expect(text()).toContain('Older sessions are not shown.')
  })

  it('takes the keyboard of who opens it by its button, and gives it back', async () => {
    await start(sessionOf(1))
    await act(async () => desk.setPanel(null))
    const opener = find('[aria-label="Sessions"]')
    opener?.focus()
    await act(async () => opener?.click())
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Sessions list')
    button('Close Sessions')?.focus()
    await press('Close Sessions')
    expect(document.activeElement).toBe(opener)
  })
})

describe('a host that does not answer', () => {
  const silent = () => new BridgeError({ code: 'host_unreachable', message: 'no answer within 10000 ms' })

  it('leaves no countdown and no button, but what was known; and is asked again by hand', async () => {
    await start(sessionOf(1, { label: 'planning' }))
    host.trouble = silent()
    await pass(READ_SESSIONS_MS)
    expect(text()).toContain('no answer within 10000 ms')
    expect(text()).toContain('planning')
    expect([countdowns(), button('End planning of One')?.disabled]).toEqual([[], true])
    host.trouble = null
    button('Try again')?.focus()
    await press('Try again')
    await pass(0)
    expect(countdowns()).toHaveLength(3)
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Sessions list')
  })

  it('says so where nothing is known', async () => {
    await start()
    host.trouble = silent()
    await pass(READ_SESSIONS_MS)
    expect(text()).toContain('The sessions could not be loaded: no answer within 10000 ms.')
    expect(text()).not.toContain('No session')
  })
})

describe('ending a session', () => {
  const name = 'End planning of One'
  const planning = sessionOf(1, { label: 'planning', active_runs: 1 })

  it('asks first, with the keyboard on what does no harm', async () => {
    await start(planning)
    await press(name)
    expect(document.activeElement?.textContent).toBe('Keep it')
    expect(text('aside form')).toContain('Its 1 run under way will be cancelled.')
    await press('Keep it')
    expect([find('aside form'), document.activeElement, host.asked]).toEqual([null, button(name), []])
  })

  it('is given up by Escape, back on the button', async () => {
    await start(planning)
    await press(name)
    await act(async () => {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    expect([find('aside form'), document.activeElement]).toEqual([null, button(name)])
  })

  it.each([
    ['on the list, where its card is gone', false, 'Sessions list'],
    ['on its heading, where the ended ones are shown', true, null],
  ])('leaves the keyboard %s, and says that it ended', async (_, ended, label) => {
    await start(planning)
    if (ended) await showEnded()
    await press(name)
    button('End the session')?.focus()
    await submitForm('aside form')
    await pass(0)
    expect(host.asked).toEqual([`end ${sessionId(1)}`])
    expect(find('[aria-label="Active sessions"]')).toBeNull()
    expect(document.activeElement?.getAttribute('aria-label')).toBe(label)
    if (ended) expect(document.activeElement?.textContent).toBe('planning')
    await pass(1_000)
    expect(text('[role=status]')).toContain(`planning of One ${ended ? 'was ended' : 'has ended'}`)
  })

  it('says in a notice what the host refuses', async () => {
    await start(planning)
    await press(name)
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await submitForm('aside form')
    expect(text('section[aria-label="New notices"]')).toContain('no answer')
  })
})
