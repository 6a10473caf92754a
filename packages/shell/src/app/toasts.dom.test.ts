import { BridgeError } from '@svc/bridge'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CARD_MS } from '../state/notices.ts'
import { button, find, happen, type OpenPage, openPage, press, textOf } from '../testing/page.ts'

let bed: OpenPage

beforeEach(async () => {
  bed = await openPage()
  await happen(() => bed.desk.open('app-1'))
})
afterEach(() => bed.close())

const card = () => textOf('#new-notices')
const bell = () =>
  [...document.querySelectorAll('header button')].map((one) => one.getAttribute('aria-label'))
const list = () => bed.desk.store.get().notices.map(({ code }) => code)
const on = (type: Parameters<typeof bed.host.emitOn>[1], payload: unknown = {}) =>
  happen(() => bed.host.emitOn('w1', type, payload))
const crash = (message: string) => on('error_reported', { message, fatal: true })
const tell = (sentence: string) =>
  happen(() =>
    bed.desk.tell({ code: 'page_error', sentence, hint: null, source: 'page', origin: null, details: '' }),
  )
const refused = { ns: 'storage', method: 'get', code: 'permission_denied', message: 'no', hint: 'declare it' }

describe('what an app has caught', () => {
  it('has no card: a refused call stands in the panel', async () => {
    await on('refused', refused)
    expect(card()).toBe('')
    expect(bell()).toContain('Notices, 1 new')
    await happen(() => bed.desk.setPanel('notices'))
    for (const part of ['permission_denied', 'declare it', 'storage.get'])
      expect(document.body.textContent).toContain(part)
  })

  it.each([
    ['reported by the app', { fatal: false }, false],
    ['reported by the app as its end', { fatal: true }, true],
    ['caught by nobody', { fatal: false, context: { source: 'unhandledrejection' } }, true],
    ['with another context', { fatal: false, context: 'error' }, false],
  ])('an error %s: %o, card: %s', async (_, report, hasCard) => {
    await on('error_reported', { message: 'broken', ...report })
    expect(card() !== '').toBe(hasCard)
    expect(list()).toHaveLength(1)
  })

  it.each(['not_found', 'precondition_failed', 'cancelled', 'bridge_reset'])(
    'in its ordinary course is no error: %s',
    async (code) => {
      await on('refused', { ...refused, code })
      expect(list()).toEqual([])
    },
  )

  it('of a bundle that was reloaded after a change is over', async () => {
    await on('refused', refused)
    await on('bundle_changed', { entry_url: '/' })
    expect(list()).toEqual([])
    expect(bell()).toContain('Notices')
  })
})

describe('an outage', () => {
  const unreachable = { ...refused, code: 'host_unreachable' }

  it('is told once, by the banner', async () => {
    await on('refused', unreachable)
    await happen(() => bed.host.emit('host_lost'))
    await on('refused', unreachable)
    expect(list()).toEqual([])
    expect(document.body.textContent).toContain('The host does not respond')
  })

  it('leaves no word of windows that the host has forgotten', async () => {
    await on('lost')
    await on('refused', { ...refused, code: 'invalid_token' })
    expect(list()).toEqual([])
  })
})

describe('a card', () => {
  it('goes after a while, and stays in the panel', async () => {
    await crash('broken')
    await bed.pass(CARD_MS - 1)
    expect(card()).toContain('broken')
    await bed.pass(1)
    expect(card()).toBe('')
    expect(list()).toEqual(['crashed'])
  })

  it('stays while the keyboard is in it', async () => {
    await crash('broken')
    await happen(() => button('Dismiss')?.focus())
    await bed.pass(2 * CARD_MS)
    expect(card()).toContain('broken')
    await happen(() => button('Dismiss')?.blur())
    await bed.pass(CARD_MS)
    expect(card()).toBe('')
  })

  it('stays while a pointer is on it', async () => {
    await crash('broken')
    const point = (type: string) =>
      happen(() =>
        find('#new-notices article')?.dispatchEvent(
          new PointerEvent(type, { bubbles: true, relatedTarget: null }),
        ),
      )
    await point('pointerover')
    await bed.pass(2 * CARD_MS)
    expect(card()).toContain('broken')
    await point('pointerout')
    await bed.pass(CARD_MS)
    expect(card()).toBe('')
  })

  it('has its whole time again where the same comes once more', async () => {
    await tell('no')
    await bed.pass(CARD_MS - 1)
    await tell('no')
    await bed.pass(CARD_MS - 1)
    expect(card()).toContain('no')
  })

  it('is one for all, which are dismissed at once', async () => {
    for (const word of ['first', 'second', 'third']) await tell(word)
    expect(card()).toContain('third')
    expect(card()).not.toContain('second')
    await press('Dismiss all 3')
    expect(card()).toBe('')
    expect(list()).toHaveLength(3)
  })

  it('leads to the panel of all', async () => {
    await tell('first')
    await tell('second')
    await press('Show all 2')
    expect(textOf('#panel')).toContain('first')
    expect(card()).toBe('')
  })

  it('goes when what was tried succeeds', async () => {
    const { asked, bridge } = bed.host
    const { mountWindow } = bridge
    Object.assign(bridge, {
      mountWindow: () => Promise.reject(new BridgeError({ code: 'internal_error', message: 'not now' })),
    })
    await happen(() => bed.desk.open('app-1'))
    expect(card()).toContain('not now')
    Object.assign(bridge, { mountWindow })
    await happen(() => bed.desk.open('app-1'))
    expect(asked.filter((what) => what.startsWith('mount'))).toHaveLength(2)
    expect(card()).toBe('')
  })
})
