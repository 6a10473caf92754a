import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { window } from './window.ts'

const takes = (row: keyof typeof window, args: unknown) => window[row].args.safeParse(args).success

verifies.each(['window.set_title.length', 'decision.reject_ranges'])([
  ['x', true],
  ['x'.repeat(120), true],
  ['', false],
  ['x'.repeat(121), false],
  ['😀'.repeat(60), true],
  [`${'😀'.repeat(60)}x`, false],
  ['\ud800', true],
  [7, false],
  [null, false],
  [undefined, false],
  [['x'], false],
])('the title %j: %j', (title, ok) => {
  expect(takes('set_title', { title })).toBe(ok)
})

verifies.each('decision.title.visible')([
  [' ', false],
  ['\t\n\r', false],
  ['\u00a0\u2003\u3000', false],
  ['\u200b', false],
  ['\u200d\u2060\ufeff', false],
  ['\u202e', false],
  [' a ', true],
  ['\u200ba', true],
  ['.', true],
])('the title %j: %j', (title, ok) => {
  expect(takes('set_title', { title })).toBe(ok)
})

it('keeps a title as it was sent', () => {
  expect(window.set_title.args.parse({ title: ' a ' })).toEqual({ title: ' a ' })
})

it.each([
  ['{"w":300,"h":200}', true],
  ['{"w":0.5,"h":-1}', true],
  ['{"w":1e400,"h":1}', false],
  ['{"w":1,"h":-1e400}', false],
  ['{"w":"300","h":200}', false],
  ['{"w":300}', false],
  ['{"w":null,"h":200}', false],
  ['{}', false],
])('the size %s: %j', (text, ok) => {
  expect(takes('resize', JSON.parse(text))).toBe(ok)
})

verifies.each('window.hello.client_info')([
  [{}, true],
  [{ client_info: {} }, true],
  [{ client_info: { name: 'sdk', version: '1' } }, true],
  [{ client_info: 'sdk' }, false],
  [{ client_info: null }, false],
])('hello %j: %j', (args, ok) => {
  expect(takes('hello', args)).toBe(ok)
})

verifies.each('window.close.reason')([
  [{}, true],
  [{ reason: 'done' }, true],
  [{ reason: '' }, true],
  [{ reason: 'x'.repeat(200) }, true],
  [{ reason: 'x'.repeat(201) }, false],
  [{ reason: 7 }, false],
  [{ reason: null }, false],
])('close %j: %j', (args, ok) => {
  expect(takes('close', args)).toBe(ok)
})

it.each([
  [{ view: 'main' }, true],
  [{ view: 'main', payload: null }, true],
  [{ view: 'main', payload: { any: [1] } }, true],
  [{ view: 'x'.repeat(64) }, true],
  [{ view: 'x'.repeat(65) }, false],
  [{ view: '' }, false],
  [{}, false],
])('open_view %j: %j', (args, ok) => {
  expect(takes('open_view', args)).toBe(ok)
})

it.each([
  [{ message: 'broke' }, true],
  [{ message: 'broke', stack: 'at x', context: { fatal: true } }, true],
  [{ message: '' }, false],
  [{}, false],
  [{ message: 'x'.repeat(4_001) }, false],
  [{ message: 'x', stack: 'x'.repeat(16_001) }, false],
  [{ message: 'x', context: 'fatal' }, false],
])('report_error %j: %j', (args, ok) => {
  expect(takes('report_error', args)).toBe(ok)
})

it.each(['ready', 'heartbeat', 'focus'] as const)('%s takes nothing and drops what is sent', (row) => {
  expect(window[row].args.parse({ anything: 1 })).toEqual({})
  expect(window[row].result.parse({})).toEqual({})
})
