import { BridgeError } from '@svc/bridge'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Desk } from '../desk/desk.ts'
import type { Job } from '../state/job.ts'
import type { FakeHost } from '../testing/fake-host.ts'
import { after, jobOf, told } from '../testing/job.ts'
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
import { JOBS_PANEL, READ_OPEN_MS } from './use-jobs.ts'

let host: FakeHost
let desk: Desk
let page: OpenPage

afterEach(() => page.close())

/** Opens the page with these jobs at the host, and the panel. */
async function start(...jobs: readonly Job[]): Promise<void> {
  page = await openPage((fake) => {
    fake.jobs = jobs
  })
  ;({ host, desk } = page)
  await happen(() => desk.setPanel(JOBS_PANEL))
}

const pass = (ms: number) => page.pass(ms)
const text = (selector = 'aside') => textOf(selector)
const cards = () => [...document.querySelectorAll<HTMLElement>('[data-heading^=job-]')]
const bar = () => find('[role=progressbar]')
const button = (name: string) => buttonIn(name, 'aside')
const press = (name: string) => pressIn(name, 'aside')

describe('the panel of jobs', () => {
  it('helps who has none', async () => {
    await start()
    expect(text()).toContain('No job yet')
    expect(text()).toContain('tools.invokeAsync')
  })

  it('counts the active ones on its button', async () => {
    await start(jobOf(1), jobOf(2, { state: 'queued' }), jobOf(3, { state: 'failed' }))
    expect(find('[aria-label="Jobs, 2 active"]')?.getAttribute('aria-expanded')).toBe('true')
    expect(text('section[aria-label="Active jobs"] h3')).toBe('Active 2')
    expect(text('section[aria-label="Ended jobs"] h3')).toBe('Ended 1')
  })

  it('shows a job: app, tool, state, bar, words, times', async () => {
    const progress = told({ done: 3, of: 10, message: 'reading' })
    await start(jobOf(1, { progress, clientTag: 'nightly', lastHeartbeatAt: after(-1_000) }))
    await pass(1_000)
    for (const part of ['index', 'One · tool-local-atlas-1', 'nightly', 'running', '3 of 10', 'reading'])
      expect(text()).toContain(part)
    expect(text()).toContain('running for 1 s · 29 min left')
    expect(text()).toContain('last update 2 s ago')
    expect(['valuenow', 'valuetext', 'label'].map((name) => bar()?.getAttribute(`aria-${name}`))).toEqual([
      '30',
      '3 of 10',
      'Progress of index of One (nightly)',
    ])
  })

  it('takes the keyboard of who opens it by its button, and gives it back', async () => {
    await start(jobOf(1))
    await act(async () => desk.setPanel(null))
    const opener = find('[aria-label="Jobs, 1 active"]')
    opener?.focus()
    await act(async () => opener?.click())
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Jobs list')
    button('Close Jobs')?.focus()
    await press('Close Jobs')
    expect(document.activeElement).toBe(opener)
  })

  it('leaves the keyboard where it is when it opens by itself', async () => {
    await start(jobOf(1))
    expect(document.activeElement).toBe(document.body)
  })

  it('has a bar without a value where nobody can tell, and says what is going on', async () => {
    await start(jobOf(1, { progress: told('warming up') }))
    expect([bar()?.hasAttribute('aria-valuenow'), bar()?.getAttribute('aria-valuetext')]).toEqual([
      false,
      'warming up',
    ])
  })

  it('says that a job gives no update', async () => {
    await start(jobOf(1))
    await pass(12_000)
    expect(text('[data-late]')).toBe('no update for 12 s')
  })

  it('moves the bar', async () => {
    await start(jobOf(1, { progress: told({ percent: 10 }), lastSeq: 1 }))
    host.jobs = [jobOf(1, { progress: told({ percent: 10 }, { percent: 60 }), lastSeq: 2 })]
    await pass(READ_OPEN_MS)
    expect(bar()?.getAttribute('aria-valuenow')).toBe('60')
  })

  it('shows a short result at once, and folds a long one that is drawn when it is opened', async () => {
    await start(
      jobOf(1, { state: 'succeeded', endedAt: after(3_000), result: { words: 5 } }),
      jobOf(2, { state: 'succeeded', endedAt: after(3_000), result: { all: 'x'.repeat(500) } }),
    )
    expect(text('pre')).toBe('{\n  "words": 5\n}')
    const details = find<HTMLDetailsElement>('details')
    expect(details?.querySelector('pre')).toBeNull()
    await act(async () => {
      if (details) details.open = true
      details?.dispatchEvent(new Event('toggle'))
    })
    expect(details?.querySelector('pre')?.textContent).toContain('xxxx')
  })

  it('shows an error as code, sentence and hint', async () => {
    const error = { code: 'tool_timeout', message: 'index did not end in 60000 ms.' }
    await start(jobOf(1, { state: 'expired', endedAt: after(60_000), error }))
    for (const part of [
      'expired',
      'tool_timeout',
      'index did not end in 60000 ms.',
      'timeoutMs',
      'took 1 min',
    ])
      expect(text()).toContain(part)
  })

  it('shows text of plugins as text', async () => {
    await start(jobOf(1, { method: '<b>x</b>', progress: told('<img src=x>') }))
    expect(text()).toContain('<img src=x>')
    expect(find('aside b, aside img:not([alt])')).toBeNull()
  })

  it('draws 100 jobs', async () => {
    await start(
      ...Array.from({ length: 100 }, (_, at) => jobOf(at, { state: at < 5 ? 'running' : 'failed' })),
    )
    expect(cards()).toHaveLength(100)
    expect(text('[aria-label="Ended jobs"] h3')).toBe('Ended 95')
  })
})

describe('a host that does not answer', () => {
  it('leaves no bar, no running time and no button, but what was known', async () => {
    await start(jobOf(1, { progress: told({ percent: 10 }) }))
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer within 10000 ms' })
    await pass(READ_OPEN_MS)
    expect(bar()).toBeNull()
    expect(text()).toContain('no answer within 10000 ms')
    expect(text()).not.toContain('running for')
    expect(button('Cancel index of One')?.disabled).toBe(true)
  })

  it('says so where nothing is known', async () => {
    await start()
    host.trouble = new BridgeError({ code: 'host_unreachable', message: 'no answer' })
    await pass(READ_OPEN_MS)
    expect(text()).toContain('The jobs could not be loaded: no answer.')
  })
})

describe('cancelling a job', () => {
  const field = () => find<HTMLInputElement>('aside input')
  const type = (value: string) =>
    act(async () => {
      const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      setter?.call(field(), value)
      field()?.dispatchEvent(new Event('input', { bubbles: true }))
    })

  it('asks for a reason, hands it on, and leaves the keyboard with the job', async () => {
    await start(jobOf(1))
    await press('Cancel index of One')
    expect(document.activeElement).toBe(field())
    await type('wrong folder')
    await submitForm('aside form')
    await pass(0)
    expect(host.asked).toEqual([`cancel ${jobOf(1).jobId} wrong folder`])
    expect(text()).toContain('wrong folder')
    expect(find('[aria-label="Active jobs"]')).toBeNull()
    expect(document.activeElement?.textContent).toBe('index')
    await pass(1_000)
    expect(text('[role=status]')).toContain('index of One was cancelled')
  })

  it('is given up by Escape, back on the button', async () => {
    await start(jobOf(1))
    await press('Cancel index of One')
    await act(async () => {
      field()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    expect([field(), document.activeElement]).toEqual([null, button('Cancel index of One')])
    expect(host.asked).toEqual([])
  })

  it('says in a notice what the host refuses', async () => {
    await start(jobOf(1))
    await press('Cancel index of One')
    host.jobs = []
    await submitForm('aside form')
    expect(text('section[aria-label="New notices"]')).toContain('there is no job')
  })
})
