import { describe, expect, it } from 'vitest'
import { addNotice, detailsText, isError, NOTICES_KEPT, type Notice, noticeText } from './notices.ts'

const news = {
  code: 'permission_denied',
  sentence: 'no',
  hint: 'declare it',
  source: 'Notes',
  origin: null,
  details: '',
}

describe('addNotice', () => {
  it('puts the newest first and counts the same up', () => {
    let list: readonly Notice[] = []
    list = addNotice(list, news, 'a', 1)
    list = addNotice(list, { ...news, sentence: 'other' }, 'b', 2)
    list = addNotice(list, news, 'c', 3)
    expect(list.map(({ id, count, at }) => [id, count, at])).toEqual([
      ['a', 2, 3],
      ['b', 1, 2],
    ])
  })

  it('speaks up again when something dismissed comes once more', () => {
    const [first] = addNotice([], news, 'a', 1)
    const list = addNotice(first ? [{ ...first, loud: false }] : [], news, 'b', 2)
    expect(list[0]?.loud).toBe(true)
  })

  it('keeps a bounded number', () => {
    let list: readonly Notice[] = []
    for (let at = 0; at < NOTICES_KEPT + 5; at++)
      list = addNotice(list, { ...news, sentence: String(at) }, String(at), at)
    expect(list).toHaveLength(NOTICES_KEPT)
    expect(list[0]?.sentence).toBe(String(NOTICES_KEPT + 4))
  })
})

/** `count` different notices of an app, one after another; `null`: of the page. */
function flood(list: readonly Notice[], app: string | null, count: number): readonly Notice[] {
  const origin = app === null ? null : { app, windowKey: 'k1' }
  const sentences = Array.from({ length: count }, (_, at) => `${app} ${at}`)
  return sentences.reduce((all, sentence) => addNotice(all, { ...news, sentence, origin }, sentence, 1), list)
}
const appsOf = (list: readonly Notice[]) => list.map(({ origin }) => origin?.app ?? 'page')

it('leaves room in the list for others, however much one app has to say', () => {
  const list = flood(flood(flood([], null, 1), 'quiet', 1), 'loud', 300)
  expect(list).toHaveLength(22)
  expect(appsOf(list).slice(-2)).toEqual(['quiet', 'page'])
})

it.each([
  ['permission_denied', true],
  ['internal_error', true],
  ['not_found', false],
  ['precondition_failed', false],
  ['cancelled', false],
  ['bridge_reset', false],
])('%s is an error: %s', (code, is) => {
  expect(isError(code)).toBe(is)
})

it('copies as plain text', () => {
  const [notice] = addNotice(addNotice([], news, 'a', 1), { ...news, details: '{}' }, 'b', 2)
  expect(notice && noticeText(notice)).toBe(
    'permission_denied: no (2 times)\nhint: declare it\nfrom: Notes\n{}',
  )
})

const ring: Record<string, unknown> = {}
ring.ring = ring

it.each([
  [undefined, ''],
  [null, ''],
  [{}, ''],
  ['stack', 'stack'],
  [{ a: 1 }, '{\n  "a": 1\n}'],
  [ring, '(details that cannot be shown)'],
])('detailsText of %o', (value, text) => {
  expect(detailsText(value)).toBe(text)
})
