import { expect, it } from 'vitest'
import { initialState } from './state.ts'
import { createStore } from './store.ts'
import { forgetNotices, showNotice } from './tell.ts'

const news = { sentence: 'no', hint: null, source: 'Notes', origin: null, details: '' }

it.each([
  { why: 'a refusal', code: 'permission_denied', loud: true, panel: null, unread: 1 },
  {
    why: 'an error behind the one that came over the desktop',
    code: 'app_error',
    loud: false,
    panel: null,
    unread: 1,
  },
  {
    why: 'what the open panel shows',
    code: 'permission_denied',
    loud: true,
    panel: 'notices' as const,
    unread: 0,
  },
])('counts $why as $unread unread', ({ code, loud, panel, unread }) => {
  const store = createStore({ ...initialState, panel })
  showNotice(store, { ...news, code, loud }, 'a', 1)
  expect([store.get().notices.length, store.get().unread.notices]).toEqual([1, unread])
})

it('takes back from the count what is forgotten', () => {
  const store = createStore(initialState)
  for (const code of ['a', 'b', 'c']) showNotice(store, { ...news, code }, code, 1)
  forgetNotices(store, ({ code }) => code !== 'b')
  expect(store.get()).toMatchObject({ notices: [{ code: 'b' }], unread: { notices: 1 } })
})
