import { createServer } from 'node:net'
import { fetchBeds, hello } from '@svc/conformance/testing/fetch'
import { refusal } from '@svc/conformance/testing/refusal'
import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { dialChecked } from './connect.ts'
import { readLoopbackHost } from './loopback.ts'

it.each([
  ['img.test:8443', { name: 'img.test', port: 8_443 }],
  ['localhost', { name: 'localhost', port: null }],
  ['127.0.0.1:80', { name: '127.0.0.1', port: 80 }],
  ['127.8.8.8', { name: '127.8.8.8', port: null }],
  ['[::1]:443', { name: '::1', port: 443 }],
  ['[::1]', { name: '::1', port: null }],
  ['10.0.0.1', null],
  ['8.8.8.8:443', null],
  ['[fe80::1]', null],
  ['0.0.0.0', null],
  ['127.1', { name: '127.0.0.1', port: null }],
  ['IMG.test', { name: 'img.test', port: null }],
  ['http://localhost', null],
  ['localhost/', null],
  ['a@localhost', null],
  ['localhost:', null],
  ['localhost:0', null],
  ['localhost:65536', null],
  ['::1', null],
  ['', null],
  ['*', null],
])('%j is %j', (entry, host) => expect(readLoopbackHost(entry)).toEqual(host))

describe('a server on this machine', () => {
  const openBed = fetchBeds()
  const open = (plain: boolean, ...names: string[]) =>
    openBed(hello, { plain, ownDial: true, allow: (port) => names.map((name) => `${name}:${port}`) })

  verifies('decision.urls.loopback', 'answers by its name or address, with TLS or without', async () => {
    const secure = await open(false, 'img.test')
    expect(await secure.text(`https://img.test:${secure.port}/`)).toBe('hello')
    const plain = await open(true, 'img.test', '127.0.0.1', 'localhost')
    for (const name of ['img.test', '127.0.0.1', 'localhost'])
      expect(await plain.text(`http://${name}:${plain.port}/`)).toBe('hello')
    expect([secure.asked, plain.asked]).toEqual([[], []])
  })

  verifies('decision.urls.loopback', 'is refused by any other name, port or scheme', async () => {
    const { port, ...bed } = await open(true, 'img.test')
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://a.img.test:${port}/`,
      `http://img.test:${port === 65_535 ? 1 : port + 1}/`,
      'http://img.test/',
      'https://img.test/',
      'http://cdn.site.org/',
      `ftp://img.test:${port}/`,
      `http://u@img.test:${port}/`,
    ])
      expect(await refusal(bed.text(url))).toMatch(/^invalid_arg: url must/)
    expect(bed.requests).toEqual([])
  })

  it('a port that nobody serves is told without its address', async () => {
    const bed = await open(true, '127.0.0.1')
    await bed.close()
    expect(await refusal(bed.text(`http://127.0.0.1:${bed.port}/`))).toBe(
      'invalid_arg: url cannot be fetched: its host takes no connection',
    )
    expect(await refusal(bed.text(`https://127.0.0.1:${bed.port}/`))).toContain(
      'its host takes no connection',
    )
  })
})

describe('dialing', () => {
  it.each([[['127.0.0.1']], [['127.0.0.77', '127.0.0.1']], [['::1', '127.0.0.1']]])(
    'goes to one of %j whatever the name means',
    async (addresses) => {
      const server = createServer((socket) => socket.end('hello'))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const { port } = server.address() as { port: number }
      const { signal } = new AbortController()
      const socket = dialChecked({ name: 'cdn.site.org', addresses, port, signal })
      const [text] = await socket.setEncoding('utf8').toArray()
      expect([text, socket.destroyed]).toEqual(['hello', true])
      await new Promise((done) => server.close(done))
    },
  )
})
