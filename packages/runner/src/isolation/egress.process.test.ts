import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifies } from '@svc/conformance/verifies'
import { limits } from '@svc/contract/limits'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openEgress, routeByReach } from './egress.ts'

const PUBLIC = '93.184.215.14'
const addresses: Readonly<Record<string, readonly string[]>> = {
  'api.example.org': [PUBLIC],
  'private.example.org': ['10.0.0.1'],
  'mixed.example.org': [PUBLIC, '127.0.0.1'],
  'mapped.example.org': ['::ffff:169.254.169.254'],
  'none.example.org': [],
  'other.example.org': [PUBLIC],
}

describe('the way out of a plugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-egress-'))
  const socket = join(folder, 'egress.sock')
  const dialed: string[] = []
  const there = createServer((from) => from.end('there'))
  let way: ReturnType<typeof openEgress>

  beforeAll(async () => {
    await once(there.listen(0, '127.0.0.1'), 'listening')
    const { port } = there.address() as { port: number }
    way = openEgress({
      socket,
      limits,
      route: routeByReach({
        allowLoopback: [],
        reach: { hosts: Object.keys(addresses).filter((name) => name !== 'other.example.org') },
        resolve: async (name) => addresses[name] ?? [],
        dial(to) {
          dialed.push(`${to.name} ${to.addresses} ${to.port}`)
          return connect(port, '127.0.0.1')
        },
      }),
    })
  })
  afterAll(() => {
    way.close()
    there.close()
    rmSync(folder, { recursive: true })
  })

  /** All that comes back. */
  async function ask(line: string): Promise<string> {
    const client = connect(socket)
    client.write(`${line} HTTP/1.1\r\nhost: x\r\n\r\n`)
    const chunks: Buffer[] = []
    for await (const chunk of client) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  verifies('wall.plugin.network', 'leads to a host that was agreed', async () => {
    expect(await ask('CONNECT api.example.org:443')).toMatch(/^HTTP\/1\.1 200 .*there$/s)
    expect(dialed).toEqual([`api.example.org ${PUBLIC} 443`])
  })

  verifies.each('wall.plugin.network')([
    [
      'CONNECT other.example.org:443',
      'may not reach other.example.org:443; to allow it, add "other.example.org" to reach.hosts',
    ],
    [
      'CONNECT api.example.org:22',
      'may reach api.example.org, but not on port 22; to allow it, add "api.example.org:22" to reach.hosts',
    ],
    ['CONNECT api.example.org.evil.org:443', 'may not reach'],
    ['CONNECT 127.0.0.1:443', 'may not reach'],
    ['CONNECT [::1]:443', 'may not reach'],
    ['CONNECT private.example.org:443', 'not public'],
    ['CONNECT mixed.example.org:443', 'not public'],
    ['CONNECT mapped.example.org:443', 'not public'],
    ['CONNECT none.example.org:443', 'no address'],
    ['GET http://api.example.org/', 'only CONNECT'],
  ])('%s: %s', async (line, says) => {
    const before = dialed.length
    expect(await ask(line)).toMatch(new RegExp(`^HTTP/1\\.1 40[35] [^]*${says}`))
    expect(dialed).toHaveLength(before)
  })
})
