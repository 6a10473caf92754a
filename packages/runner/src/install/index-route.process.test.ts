import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEgress } from '../isolation/egress.ts'
import { routeToIndexes } from './index-route.ts'

let folder: string
let closes: (() => void)[]
let port: number
let asked: string[]
let hostsAsked: (string | undefined)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-index-'))
  closes = [() => rmSync(folder, { recursive: true })]
  asked = []
  hostsAsked = []
  const index = createHttp((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? '-'}`)
    hostsAsked.push(request.headers.host)
    let body = ''
    request.on('data', (piece) => (body += piece))
    request.on('end', () => {
      const text = `an index${body}`
      response.writeHead(201, { 'x-index': 'yes', 'content-length': text.length }).end(text)
    })
  })
  port = await listening(index)
})
afterEach(() => {
  for (const close of closes.reverse()) close()
})

async function listening(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closes.push(() => server.close())
  return (server.address() as { port: number }).port
}

/** A proxy of the machine, and what it was asked. */
async function openProxy(status = 200) {
  const said: string[] = []
  const server = createServer((from: Socket) => {
    from.on('error', () => {})
    from.once('data', (head: Buffer) => {
      said.push(head.toString())
      if (status !== 200) return void from.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      const to = connect(port, '127.0.0.1').on('error', () => {})
      from.write('HTTP/1.1 200 OK\r\n\r\n')
      from.pipe(to).pipe(from)
    })
  })
  return { said, at: await listening(server) }
}

/** Asks an installer's way out, and returns all that comes back and what it refused. */
async function ask(
  words: string,
  {
    proxy,
    direct = [],
    hosts = [`127.0.0.1:${port}`],
  }: { proxy?: string; direct?: string[]; hosts?: string[] } = {},
) {
  const socket = join(folder, 'egress.sock')
  const refused: string[] = []
  const route = routeToIndexes(
    {
      hosts: new Set(hosts),
      proxy: proxy === undefined ? undefined : new URL(proxy),
      isDirect: (host) => direct.includes(host),
    },
    (host) => refused.push(host),
  )
  const server = openEgress({ socket, limits, takesPlain: true, route })
  closes.push(() => server.close())
  const client = connect(socket)
  client.write(words)
  const chunks: Buffer[] = []
  for await (const chunk of client) chunks.push(chunk)
  return { said: Buffer.concat(chunks).toString(), refused }
}
const get = (url: string, more = '') => `GET ${url} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`
const tunnel = (to: string) => `CONNECT ${to} HTTP/1.1\r\nhost: x\r\n\r\n${get('/through')}`

describe('the way out of an installer', () => {
  it('carries a request without TLS to its index', async () => {
    const { said } = await ask(get(`http://127.0.0.1:${port}/tiny?a=1`, 'proxy-authorization: Basic x\r\n'))
    expect(said).toMatch(/^HTTP\/1\.1 201 .*x-index: yes.*an index$/is)
    expect(asked).toEqual(['GET /tiny?a=1 -'])
    // Not `x`, which the request says: that may be another host at the same address.
    expect(hostsAsked).toEqual([`127.0.0.1:${port}`])
  })

  it('carries one request a connection, however many come at once', async () => {
    const url = `http://127.0.0.1:${port}`
    await ask(`HEAD ${url}/1 HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(3) + get(url))
    expect(asked).toEqual(['HEAD /1 -'])
  })

  verifies.each('wall.plugin.bounds')([
    ['a status that is none', 'HTTP/1.1 099 X\r\ncontent-length: 0'],
    ['a trailer without chunks', 'HTTP/1.1 200 OK\r\ntrailer: x\r\ncontent-length: 0'],
    ['another protocol', 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade'],
    ['no HTTP', 'hello'],
    ['less than it says', 'HTTP/1.1 200 OK\r\ncontent-length: 9'],
    ['more than it says', 'HTTP/1.1 204 OK\r\ncontent-length: 1\r\n\r\naaa'],
  ])('is over where the index answers with %s', async (_name, answer) => {
    const odd = await listening(
      createServer(
        (from) => void from.on('error', () => {}).once('data', () => from.end(`${answer}\r\n\r\n`)),
      ),
    )
    expect((await ask(get(`http://127.0.0.1:${odd}/`), { hosts: [`127.0.0.1:${odd}`] })).refused).toEqual([])
  })

  verifies.each('wall.plugin.bounds')(['trailer: x', 'expect: 100-continue', 'upgrade: x', 'te: trailers'])(
    'carries a request that says %s',
    async (header) => {
      const { said } = await ask(get(`http://127.0.0.1:${port}/`, `${header}\r\ncontent-length: 0\r\n`))
      expect(said).toMatch(/an index$/)
    },
  )

  it('carries the body of a request', async () => {
    const { said } = await ask(
      `POST http://127.0.0.1:${port}/x HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 3\r\n\r\nabc`,
    )
    expect(said).toMatch(/an indexabc$/)
  })

  it('leads to its index by CONNECT', async () => {
    const { said } = await ask(tunnel(`127.0.0.1:${port}`))
    expect(said).toMatch(/^HTTP\/1\.1 200 Connection established.*an index$/s)
  })

  it('finds a host of the machine by its name', async () => {
    const { said } = await ask(tunnel(`LOCALHOST:${port}`), { hosts: [`localhost:${port}`] })
    expect(said).toMatch(/an index$/)
  })

  verifies.each('wall.plugin.install')([
    ['a port of the machine', tunnel('127.0.0.1:1'), '127.0.0.1:1'],
    ['another name of it', tunnel('localhost:1'), 'localhost:1'],
    ['a host of the world', tunnel('example.org:443'), 'example.org:443'],
    ['a page without TLS', get('http://169.254.169.254/latest'), '169.254.169.254:80'],
    ['a name within the name of an index', tunnel('127.0.0.1.example.org:443'), '127.0.0.1.example.org:443'],
    ['nothing that is one', tunnel('://x'), '://x'],
  ])('leads not to %s', async (_name, words, host) => {
    const { said, refused } = await ask(words)
    expect(said).toMatch(/^HTTP\/1\.1 403 .*this installer may not reach /s)
    expect(refused).toEqual([host])
    expect(asked).toEqual([])
  })

  it.each(['/tiny', 'https://127.0.0.1/', 'ftp://127.0.0.1/'])(
    'says what it wants where it is asked for %s',
    async (url) => expect((await ask(get(url))).said).toMatch(/^HTTP\/1\.1 400 .*must begin with http:\/\//s),
  )

  it('says that there is no host of a name', async () => {
    const { said } = await ask(tunnel('none.invalid:1'), { hosts: ['none.invalid:1'] })
    expect(said).toMatch(/403.*none\.invalid cannot be reached/s)
  })

  it('says what cannot be reached', async () => {
    const { said } = await ask(tunnel('127.0.0.1:1'), { hosts: ['127.0.0.1:1'] })
    expect(said).toMatch(/403.*127\.0\.0\.1 cannot be reached \(ECONNREFUSED\)/s)
  })
})

describe('where the machine has a proxy', () => {
  it('asks that for the connection, with its name and password', async () => {
    const { at, said } = await openProxy()
    const answer = await ask(tunnel(`index.acme.com:443`), {
      hosts: ['index.acme.com:443'],
      proxy: `http://ada:p%40ss@127.0.0.1:${at}`,
    })
    expect(answer.said).toMatch(/200 Connection established.*an index$/s)
    expect(said[0]).toMatch(/^CONNECT index\.acme\.com:443 HTTP/)
    expect(said[0]?.toLowerCase()).toContain(
      `proxy-authorization: basic ${Buffer.from('ada:p@ss').toString('base64').toLowerCase()}`,
    )
  })

  it('goes without it where the machine says so', async () => {
    const { at, said } = await openProxy()
    const answer = await ask(tunnel(`127.0.0.1:${port}`), {
      proxy: `http://127.0.0.1:${at}`,
      direct: ['127.0.0.1'],
    })
    expect(answer.said).toMatch(/an index$/)
    expect(said).toEqual([])
  })

  it.each([407, 502])('says that it refuses with %s', async (status) => {
    const { at } = await openProxy(status)
    expect((await ask(tunnel(`127.0.0.1:${port}`), { proxy: `http://127.0.0.1:${at}` })).said).toMatch(
      new RegExp(`the proxy of this machine refuses 127\\.0\\.0\\.1:${port} with ${status}`),
    )
  })

  it('takes none but by http', async () =>
    expect((await ask(tunnel(`127.0.0.1:${port}`), { proxy: 'socks5://127.0.0.1:1' })).said).toMatch(
      /must begin with http:\/\/, got socks5:\/\//,
    ))
})
