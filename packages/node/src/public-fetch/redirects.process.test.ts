import { fetchBeds, hello, type Serve } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'

const open = fetchBeds()
const URL_ = 'https://cdn.site.org/a.png'
const to =
  (location: string, status = 302): Serve =>
  (req, res) =>
    req.url === '/r' ? res.writeHead(status, { location }).end('moved') : hello(req, res)

verifies.each('decision.urls.redirects')([
  ['http://127.0.0.1/', 'must begin with https://'],
  ['http://other.site.org/', 'must begin with https://'],
  ['https://[::ffff:7f00:1]/', 'must name a public host'],
  ['//localhost/', 'must name a public host'],
  ['//127.1', 'must name a public host'],
  ['https://169.254.169.254/latest/meta-data/', 'must name a public host'],
  ['https://other.site.org:8443/', 'must use port 443'],
  ['https://u:p@other.site.org/', 'must not name a user'],
  ['https://@other.site.org/', 'must not name a user'],
  ['//u:p@other.site.org/', 'must not name a user'],
  ['\\\\other.site.org/', 'must not hold'],
  ['/a b', 'must not hold'],
  ['https:///other.site.org/', 'must name a host'],
  ['data:image/png;base64,AAAA', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['https://[', 'is not a URL'],
  [`/${'a'.repeat(3_000)}`, 'must have at most'],
])('to %s: %s', async (location, sentence) => {
  const bed = await open(to(location))
  expect(await refusal(bed.text('https://cdn.site.org/r'))).toContain(
    `invalid_arg: the redirect of url ${sentence}`,
  )
  expect(bed.dialed.length).toBe(1)
})

it.each([301, 302, 303, 307, 308])('%i is followed, relative or not', async (status) => {
  for (const location of [
    '/a',
    'a',
    '//other.site.org/a',
    'https://other.site.org/a',
    'https://other.site.org:443/a',
  ]) {
    const bed = await open(to(location, status))
    expect(await bed.text('https://cdn.site.org/r')).toBe('hello')
    expect(bed.requests.at(-1)?.method).toBe('GET')
  }
})

it.each([300, 304, 305, 306, 200])('%i with a Location is not', async (status) => {
  const bed = await open((_req, res) => res.writeHead(status, { location: 'https://127.0.0.1/' }).end('here'))
  if (status === 200) expect(await bed.text(URL_)).toBe('here')
  else expect(await refusal(bed.text(URL_))).toContain(`answered ${status}`)
  expect(bed.requests.length).toBe(1)
})

verifies('decision.urls.redirects', 'three are followed, a fourth is not', async () => {
  const bed = await open((req, res) => {
    const left = Number(req.url?.slice(1))
    if (left > 0) res.writeHead(302, { location: `/${left - 1}` }).end()
    else res.end('there')
  })
  expect(await bed.text('https://cdn.site.org/3')).toBe('there')
  expect(await refusal(bed.text('https://cdn.site.org/4'))).toBe(
    'invalid_arg: the redirect of url leads on: at most 3 redirects are followed',
  )
  expect(bed.requests.length).toBe(8)
})

it('a redirect without a Location is an answer that is not 200', async () => {
  const bed = await open((_req, res) => res.writeHead(302).end())
  expect(await refusal(bed.text(URL_))).toContain('answered 302')
})

it('a Refresh header is refused', async () => {
  const bed = await open((_req, res) => res.setHeader('refresh', '0;url=https://127.0.0.1').end('x'))
  expect(await refusal(bed.text(URL_))).toContain('by a Refresh header')
})
