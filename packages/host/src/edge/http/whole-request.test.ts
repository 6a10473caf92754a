import { expect, it } from 'vitest'
import { wholeRequest } from './whole-request.ts'

const url = 'https://site.org/healthz'
/** As another library makes one: no class of this realm. */
const foreign = { url, method: 'GET', headers: { get: () => null, has: () => false } }

it.each([
  ['one of this realm', new Request(url)],
  ['one of another library', foreign],
])('takes %s', (_, request) => {
  expect(wholeRequest(request as Request)).toBe(request)
})

it.each([
  ['a text', url, 'takes a Request, got "https://site.org/healthz": make one with new Request(url)'],
  ['a URL', new URL(url), 'takes a Request, got an object: make one'],
  ['nothing', undefined, 'takes a Request, got nothing'],
  [
    'a request of node:http',
    { url: '/healthz', method: 'GET', headers: {} },
    'getRequestListener of @hono/node-server',
  ],
  ['one without a whole URL', { ...foreign, url: '/healthz' }, 'a Request with a whole URL, got "/healthz"'],
])('refuses %s', (_, given, said) => {
  expect(() => wholeRequest(given as Request)).toThrow(said)
})
