import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import { isOriginPattern, labelIn, labelOf, originOf } from './bundle-origin.ts'

const label = labelOf('app_notes')

it.each([
  ['https://{app}.bundles.site.org', true],
  ['http://{app}.localhost:{port}', true],
  ['https://{app}.site.org:8443', true],
  ['https://{app}', false],
  ['https://x{app}.site.org', false],
  ['https://bundles.{app}.org', false],
  ['https://{app}.site.org/', false],
  ['https://{app}.site.org; script-src *', false],
  ['https://{app}.{app}.org', false],
  ['ftp://{app}.site.org', false],
])('the pattern %s: %s', (text, is) => expect(isOriginPattern(text)).toBe(is))

it('names an app by 128 bits that fit a label of DNS, the same every time', () => {
  expect(label).toMatch(/^[0-9a-f]{32}$/)
  expect(labelOf('app_notes')).toBe(label)
  expect(labelOf('app_bank')).not.toBe(label)
})

it('makes the origin of an app, with the port of the page where it says so', () => {
  expect(originOf('https://{app}.bundles.site.org', label)).toBe(`https://${label}.bundles.site.org`)
  expect(originOf('http://{app}.localhost:{port}', label, '127.0.0.1:9000')).toBe(
    `http://${label}.localhost:9000`,
  )
  expect(originOf('http://{app}.localhost:{port}', label, 'localhost')).toBe(`http://${label}.localhost`)
})

verifies.each('wall.bundle.apart')<[pattern: string, host: string, is: boolean]>([
  ['https://{app}.bundles.site.org', `${label}.bundles.site.org`, true],
  ['https://{app}.bundles.site.org', `${label}.bundles.site.org:8443`, false],
  ['https://{app}.bundles.site.org', `${label}.bundles.site.org.evil.example`, false],
  ['https://{app}.bundles.site.org', `${label}xbundles.site.org`, false],
  ['https://{app}.bundles.site.org', `a.${label}.bundles.site.org`, false],
  ['https://{app}.bundles.site.org', 'www.bundles.site.org', false],
  ['http://{app}.localhost:{port}', `${label}.localhost:8787`, true],
  ['http://{app}.localhost:{port}', `${label}.localhost`, true],
  ['http://{app}.localhost:{port}', `${label}-12.localhost:8787`, true],
  ['https://{app}.bundles.site.org', `${label}-1.bundles.site.org`, true],
  ['https://{app}.bundles.site.org', `${label}-1.evil.example`, false],
  ['https://{app}.bundles.site.org', `${label}-.bundles.site.org`, false],
  ['https://{app}.bundles.site.org', `${label}-x.bundles.site.org`, false],
  ['https://{app}.bundles.site.org', `${label}-1234567.bundles.site.org`, false],
  ['http://{app}.localhost:{port}', `${label.toUpperCase()}.localhost`, false],
  ['http://{app}.localhost:{port}', `${label}.localhost.evil.example:8787`, false],
  ['http://{app}.localhost:{port}', 'localhost:8787', false],
])('of %s the host %s is an app: %s', (pattern, host, is) => {
  expect(labelIn(pattern, host)?.app).toBe(is ? label : undefined)
})
