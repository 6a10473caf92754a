import { expect, it } from 'vitest'
import { readHostUrl } from './host-url.ts'

it.each([
  [
    'http://127.0.0.1:8787',
    { origin: 'http://127.0.0.1:8787', base: 'http://127.0.0.1:8787', isLoopback: true },
  ],
  ['http://localhost:1/', { origin: 'http://localhost:1', base: 'http://localhost:1', isLoopback: true }],
  ['http://[::1]:8787', { origin: 'http://[::1]:8787', base: 'http://[::1]:8787', isLoopback: true }],
  [
    'https://apps.site.org/svc/',
    { origin: 'https://apps.site.org', base: 'https://apps.site.org/svc', isLoopback: false },
  ],
])('reads %s', (text, url) => {
  expect(readHostUrl(text)).toEqual(url)
})

it.each([
  [undefined, 'no host was named'],
  ['apps.site.org', '--host must be an http or https URL, got "apps.site.org"'],
  ['ftp://apps.site.org', '--host must be an http or https URL, got "ftp://apps.site.org"'],
  ['http://apps.site.org', '--host must be https, but for this machine; got http://apps.site.org'],
  ['http://127.0.0.1.site.org', '--host must be https, but for this machine; got http://127.0.0.1.site.org'],
  ['https://a:b@apps.site.org', '--host must be without query, fragment and sign-in'],
  ['https://apps.site.org/path?query', '--host must be without query, fragment and sign-in'],
])('refuses %s', (text, sentence) => {
  expect(() => readHostUrl(text)).toThrow(sentence)
})
