import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { fetchBeds, hello, PUBLIC } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { verifies } from '@svc/conformance/verifies'
import { expect, it } from 'vitest'
import type { Resolve } from './resolve.ts'

const corpus: { dns_answers_reject: string[]; dns_answers_accept: string[] } = JSON.parse(
  readFileSync(new URL('../../../conformance/corpora/ssrf.json', import.meta.url), 'utf8'),
)
const open = fetchBeds()
const URL_ = 'https://cdn.site.org/a.png'
const PRIVATE = 'invalid_arg: url must name a public host: cdn.site.org has an address that is not public'

verifies.each(['decision.urls.answers', 'run.attachments.private'])([
  ...corpus.dns_answers_reject.map((address) => [[address]]),
  ...corpus.dns_answers_reject.map((address) => [[PUBLIC, address]]),
  ...corpus.dns_answers_reject.map((address) => [[address, '2606:4700::1111']]),
  [['fe80::1%eth0']],
  [['not an address']],
  [['']],
])('%j is refused, and no socket is opened', async (answers) => {
  const bed = await open(hello, { resolve: async () => answers })
  expect(await refusal(bed.text(URL_))).toBe(PRIVATE)
  expect(bed.dialed).toEqual([])
})

verifies('decision.urls.checked', 'the product itself opens no socket of the process to them', async () => {
  const sockets: unknown[] = []
  const see = (message: unknown) => void sockets.push(message)
  subscribe('net.client.socket', see)
  for (const address of corpus.dns_answers_reject) {
    const bed = await open(hello, { ownDial: true, resolve: async () => [PUBLIC, address] })
    expect(await refusal(bed.text(URL_))).toBe(PRIVATE)
  }
  expect(sockets).toEqual([])
  // What sees nothing above does see a socket.
  const bed = await open(hello, { ownDial: true, allow: (port) => [`img.test:${port}`] })
  expect(await bed.text(`https://img.test:${bed.port}/`)).toBe('hello')
  unsubscribe('net.client.socket', see)
  expect(sockets.length).toBe(1)
})

it.each(corpus.dns_answers_accept.map((address) => [address]))('%s is dialed', async (address) => {
  const bed = await open(hello, { resolve: async () => [address] })
  expect(await bed.text(URL_)).toBe('hello')
  expect(bed.dialed.map(({ addresses, name, port }) => [addresses, name, port])).toEqual([
    [[address], 'cdn.site.org', 443],
  ])
})

it.each<[string, Resolve, string]>([
  ['nothing', async () => [], 'invalid_arg: url cannot be fetched: cdn.site.org has no address'],
  [
    'an error with an address in it',
    async () => Promise.reject(new Error('queryA ETIMEOUT 10.0.0.2')),
    'invalid_arg: url cannot be fetched: the connection failed',
  ],
])('%s', async (_name, resolve, sentence) => {
  const bed = await open(hello, { resolve })
  expect(await refusal(bed.text(URL_))).toBe(sentence)
  expect(bed.dialed).toEqual([])
})

verifies('decision.urls.checked', 'a name that answers otherwise the second time is asked once', async () => {
  const answers = [[PUBLIC], ['127.0.0.1'], ['10.0.0.1']]
  const bed = await open(hello, { resolve: async () => answers.shift() ?? [] })
  expect(await bed.text(URL_)).toBe('hello')
  expect([bed.asked, bed.dialed.map(({ addresses }) => addresses)]).toEqual([['cdn.site.org'], [[PUBLIC]]])
})

verifies('decision.urls.checked', 'a redirect to the same name looks it up and judges it again', async () => {
  const answers = [[PUBLIC], ['127.0.0.1']]
  const bed = await open((_req, res) => res.writeHead(302, { location: '/again' }).end(), {
    resolve: async () => answers.shift() ?? [],
  })
  expect(await refusal(bed.text(URL_))).toMatch(/^invalid_arg: the redirect of url must name a public host/)
  expect(bed.dialed.length).toBe(1)
})

it('an address as the host is looked up nowhere', async () => {
  const bed = await open(hello)
  expect(await bed.text(`https://${PUBLIC}/`)).toBe('hello')
  expect([bed.asked, bed.dialed.map(({ addresses }) => addresses)]).toEqual([[], [[PUBLIC]]])
})
