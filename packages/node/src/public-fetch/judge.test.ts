import { readFileSync } from 'node:fs'
import { rounds } from '@svc/conformance/rounds'
import { isPrivate } from '@svc/conformance/testing/special-addresses'
import { verifies } from '@svc/conformance/verifies'
import { Refusal } from '@svc/contract/errors'
import { limits } from '@svc/contract/limits'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeUrl } from './judge.ts'
import type { LoopbackHost } from './loopback.ts'

const corpus: { reject: string[]; accept_syntactically: string[] } = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)

/** What a text is refused with; `null`: it is taken. */
function fault(text: string, allowLoopback: readonly LoopbackHost[] = []): string | null {
  try {
    expect(judgeUrl(text, { label: 'url', path: 'url' }, { limits, allowLoopback }).href).toBe(
      new URL(text).href,
    )
    return null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_arg') return error.message
    throw error
  }
}

verifies.each(['attachment.url', 'decision.urls.literals'])(corpus.reject.map((text) => [text]))(
  'refuses %j',
  (text) => expect(fault(text)).toMatch(/^url (must|is not a URL)/),
)

verifies.each(['attachment.url', 'decision.urls.literals'])(
  corpus.accept_syntactically.map((text) => [text]),
)('takes %j', (text) => expect(fault(text)).toBeNull())

const HTTPS = 'url must begin with https://'
const SPACE = 'url must not hold white space, control characters or backslashes'
const USER = 'url must not name a user before the host'
const NAME = 'url must name a public host: a name with a dot and a public ending'
const ADDRESS = 'url must name a public host, got a private address'
const NONE = 'url is not a URL'

it.each<[string, string | null]>([
  ['', HTTPS],
  ['https', HTTPS],
  ['https://', 'url must name a host'],
  ['https:///cdn.site.org/', 'url must name a host'],
  ['https://?cdn.site.org', 'url must name a host'],
  ['HTTPS://cdn.site.org/', HTTPS],
  ['//cdn.site.org/', HTTPS],
  ['cdn.site.org/a.png', HTTPS],
  ['ftp://cdn.site.org/', HTTPS],
  ['blob:https://cdn.site.org/1', HTTPS],
  ['\u00a0https://cdn.site.org/', SPACE],
  ['https://cdn.site.org/a b', SPACE],
  ['https://cdn.site.org/a\u2028b', SPACE],
  ['https://cdn.site.org/\u0085', SPACE],
  ['https://cdn.site.org/\ufeff', SPACE],
  ['https://cdn.site.org/\r\nHost: x', SPACE],
  ['https://cdn.site.org\\.evil.org/', SPACE],
  ['https://cdn.site.org:80@evil.org/', USER],
  ['https://:@cdn.site.org/', USER],
  ['https://cdn.site.org/@a', null],
  ['https://cdn.site.org/?a=@b#@c', null],
  ['https://cdn.site.org\uff20evil.org/', NONE],
  ['https://cdn.site.org:/', null],
  ['https://cdn.site.org:0443/', null],
  ['https://cdn.site.org:80/', 'url must use port 443, got 80'],
  ['https://cdn.site.org:8443/', 'url must use port 443, got 8443'],
  ['https://cdn.site.org:0/', 'url must use port 443, got 0'],
  ['https://8.8.8.8/', null],
  ['https://8.8.8.8:22/', 'url must use port 443, got 22'],
  ['https://134744072/', null],
  ['https://[::ffff:10.0.0.1]/', ADDRESS],
  ['https://[2002:0a00:0001::]/', ADDRESS],
  ['https://10.0.0.1./', ADDRESS],
  ['https://192.168.1/', ADDRESS],
  ['https://[2001:db8::1]/', ADDRESS],
  ['https://[fe80::1%25eth0]/', NONE],
  ['https://cdn.site.org./', null],
  ['https://cdn.site.org../', NAME],
  ['https://.site.org/', NAME],
  ['https://site/', NAME],
  ['https://localhost./', NAME],
  ['https://a.LOCALDOMAIN/', NAME],
  ['https://router.home/', NAME],
  ['https://nas.lan/', NAME],
  ['https://x.onion/', NAME],
  ['https://a*b.site.org/', NAME],
  ['https://a..b.org/', NAME],
  ['https://-a.site.org/', NAME],
  [`https://${'a'.repeat(64)}.org/`, NAME],
  [`https://${'a.'.repeat(126)}org/`, NAME],
  [`https://${'a.'.repeat(125)}org/`, null],
  [`https://cdn.site.org/${'a'.repeat(2_048)}`, 'url must have at most 2048 characters, got 2069'],
])('%j: %j', (text, expected) => expect(fault(text)).toBe(expected))

verifies.each('decision.urls.literals')([
  ['localhost'],
  ['localdomain'],
  ['local'],
  ['internal'],
  ['intranet'],
  ['private'],
  ['corp'],
  ['home'],
  ['lan'],
  ['arpa'],
  ['alt'],
  ['onion'],
  ['test'],
  ['example'],
  ['invalid'],
])('no public name ends in %s', (label) => {
  expect(fault(`https://cdn.site.${label}/`)).toBe(NAME)
  expect(fault(`https://cdn.site.${label}.org/`)).toBeNull()
})

verifies.each('decision.urls.loopback')([
  ['https://img.test:8443/a', null],
  ['http://img.test:8443/a', null],
  ['http://IMG.test:8443?a', null],
  ['https://cdn.site.org/', null],
  ['http://cdn.site.org/', HTTPS],
  ['http://cdn.site.org:443/', HTTPS],
  ['http://img.test/', HTTPS],
  ['https://img.test/', NAME],
  ['https://img.test:8444/', 'url must use port 443, got 8444'],
  ['ftp://img.test:8443/', HTTPS],
  [' http://img.test:8443/', SPACE],
  ['xhttp://img.test:8443/', HTTPS],
  ['http:///img.test:8443/', 'url must name a host'],
  ['http://u@img.test:8443/', USER],
  ['http://img.test:8443/@a', null],
])('with img.test:8443 allowed, %j: %j', (text, expected) => {
  expect(fault(text, [{ name: 'img.test', port: 8_443 }])).toBe(expected)
})

it('keeps an address of a host out of its sentence', () => {
  expect(fault('https://10.20.30.40/')).not.toContain('10.20')
})

describe('literals in any form', () => {
  const byte = fc.nat(255)
  const forms = [
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0X${n.toString(16).toUpperCase()}`,
    (n: number) => `0${n.toString(8)}`,
    (n: number) => `000${n.toString(8)}`,
  ]
  const form = fc.constantFrom(...forms)
  /** The four bytes as one to four numbers, the last of which holds what is left. */
  const short = ([a, b, c, d]: readonly number[], parts: number) =>
    [
      [((a as number) * 256 + (b as number)) * 65_536 + (c as number) * 256 + (d as number)],
      [a, (b as number) * 65_536 + (c as number) * 256 + (d as number)],
      [a, b, (c as number) * 256 + (d as number)],
      [a, b, c, d],
    ][parts - 1] as number[]
  const bytes = fc.oneof(
    fc.tuple(byte, byte, byte, byte),
    fc.tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224), byte, byte, byte),
    fc.constantFrom([169, 254, 169, 254], [192, 168, 0, 1], [172, 16, 0, 1], [127, 0, 0, 1], [8, 8, 8, 8]),
  )

  it('version 4: decimal, octal, hexadecimal, of one to four parts', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.integer({ min: 1, max: 4 }),
        fc.array(form, { minLength: 4, maxLength: 4 }),
        (address, parts, written) => {
          const host = short(address, parts)
            .map((n, at) => written[at]?.(n))
            .join('.')
          const hidden = isPrivate(address.join('.'), 'ipv4')
          expect([host, fault(`https://${host}/`)]).toEqual([host, hidden ? ADDRESS : null])
        },
      ),
      { numRuns: rounds(500) },
    )
  })

  it('version 6: any spelling, mapped ones as version 4', () => {
    const word = fc.oneof(fc.nat(65_535), fc.constant(0))
    const first = fc.constantFrom(
      0,
      0x64,
      0x100,
      0x2001,
      0x2002,
      0x2606,
      0x2a00,
      0x3fff,
      0x4000,
      0x5f00,
      0xfc00,
      0xfe80,
      0xfec0,
      0xff02,
    )
    const spelled = fc.constantFrom(
      (word: number) => word.toString(16),
      (word: number) => word.toString(16).padStart(4, '0'),
      (word: number) => word.toString(16).toUpperCase(),
    )
    const words = fc
      .tuple(fc.oneof(first, word), word, word, word, word, word, word, word)
      // Mapped addresses are drawn apart.
      .filter(([a, b, c, d, e, f]) => a + b + c + d + e > 0 || f !== 0xffff)
    const mapped = fc.tuple(byte, byte, byte, byte)
    fc.assert(
      fc.property(words, spelled, mapped, (address, spell, v4) => {
        const host = address.map(spell).join(':')
        expect([host, fault(`https://[${host}]/`)]).toEqual([host, isPrivate(host, 'ipv6') ? ADDRESS : null])
        const hidden = isPrivate(v4.join('.'), 'ipv4')
        expect([v4, fault(`https://[::FFFF:${v4.join('.')}]/`)]).toEqual([v4, hidden ? ADDRESS : null])
      }),
      { numRuns: rounds(500) },
    )
  })

  it('never throws anything but a refusal', () => {
    const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(anyText, (text) => {
        fault(text)
        fault(`https://${text}`)
      }),
      { numRuns: rounds(500) },
    )
  })
})
