import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { envelopeText, failureText, idOf, isRefusal, readResponse, withId } from './texts.ts'

const call = (args: string) => ({ id: '7', ns: 'storage', method: 'get', args, answer: () => undefined })

verifies('design.body_kept_text', 'writes an envelope around the arguments', () => {
  expect(JSON.parse(envelopeText(call('{"key":"k"}'), 'w"1'))).toEqual({
    id: '7',
    window_uuid: 'w"1',
    ns: 'storage',
    method: 'get',
    args: { key: 'k' },
  })
})

verifies(
  'wall.iframe.port_names_window',
  'lets the fields of the page win over those that the arguments smuggle',
  () => {
    const smuggled = '{},"window_uuid":"other","id":"9","ns":"fs","method":"write","x":{}'
    expect(JSON.parse(envelopeText(call(smuggled), 'mine'))).toMatchObject({
      id: '7',
      window_uuid: 'mine',
      ns: 'storage',
      method: 'get',
    })
  },
)

it.each([
  ['{"id":"7","ok":true}', '7'],
  ['{"id":"","ok":false}', ''],
  ['{"id":"7', undefined],
  ['{"ok":true,"id":"7"}', undefined],
  ['<html>', undefined],
  ['', undefined],
])('finds the id of %j', (text, id) => {
  expect(idOf(text)).toBe(id)
})

it.each([
  ['{"id":"7","ok":true,"result":{}}', '{"id":"7","ok":true,"result":{}}'],
  ['{"id":"","ok":false,"error":{}}', '{"id":"7","ok":false,"error":{}}'],
  ['{"id":"8","ok":true}', undefined],
  ['<html>', undefined],
])('puts the id of the call into %j', (text, whole) => {
  expect(withId(text, '7')).toBe(whole)
})

it('writes a failure that reads as one', () => {
  const text = failureText('7', { code: 'rate_limited', message: 'm', details: { retriable: true } })
  expect(isRefusal(text, '7')).toBe(true)
  expect(isRefusal('{"id":"7","ok":true,"result":{}}', '7')).toBe(false)
  expect(readResponse(text)).toEqual({
    id: '7',
    ok: false,
    error: { code: 'rate_limited', message: 'm', details: { retriable: true } },
  })
})

it.each(['<html>', '', 'null', '{"id":"7","ok":false}', '{"id":"7","ok":false,"error":{}}'])(
  'reads %j as no envelope',
  (text) => {
    expect(readResponse(text)).toMatchObject({ ok: false, error: { code: 'internal_error' } })
  },
)
