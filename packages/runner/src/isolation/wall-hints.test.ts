import { verifies } from '@svc/conformance/verifies'
import type { Reach } from '@svc/contract/reach'
import { describe, expect, it } from 'vitest'
import { failure } from '../port/runner.ts'
import type { Cell } from './bubblewrap.ts'
import { openTold, type Refused, refusalText } from './refusals.ts'
import { wallHint } from './wall-hints.ts'

const cell: Cell = {
  view: { readable: ['/srv/shown', '/srv/install'], writable: ['/srv/mine'] },
  reached: [],
  folder: '/var/tmp/own',
  cache: undefined,
  filter: undefined,
  etc: undefined,
  cwd: '/srv/shown',
  installed: ['/srv/install'],
  hidden: [],
}
const refused = (name: string, port = 443, because: Refused['because'] = 'host'): Refused => ({
  name,
  port,
  because,
})
const hintOf = (text: string, reach?: Reach, more: Partial<Parameters<typeof wallHint>[1]> = {}) =>
  wallHint(failure('tool_failed', text), {
    reach,
    cell,
    isPublished: false,
    isOwners: true,
    refused: [],
    ...more,
  })

verifies.each('wall.plugin.told.apps')([
  ['a host', 'fetch failed', { refused: [refused('b.example.com')] }],
  ['a name', 'getaddrinfo EAI_AGAIN b.example.com', {}],
  ['a file', "ENOENT: no such file or directory, open '/srv/b.example.com/x'", {}],
])('an app of others reads nothing of a configured reach where it lacks %s', (_, text, more) => {
  const folders = [{ path: '/srv/company', access: 'read' as const }]
  const reach = { hosts: ['a.example.com'], tcp: ['db.internal:5432'], folders }
  const hint = hintOf(text, reach, { ...more, isOwners: false })
  expect(hint).toMatch(/its operator adds this .*b\.example\.com/)
  expect(hint).not.toMatch(/a\.example|internal|company/)
})

describe('what was refused', () => {
  verifies.each('wall.plugin.told')<[string, Refused[], Reach | undefined, string]>([
    [
      'a host',
      [refused('b.example.com')],
      { hosts: ['a.example.com'] },
      'It may not reach b.example.com:443. To allow that, where the plugin is configured: "reach": { "hosts": ["a.example.com","b.example.com"] }',
    ],
    [
      'a port, and folders that stay',
      [refused('a.example.com', 80, 'port')],
      { hosts: ['a.example.com'], folders: [{ path: '/data', access: 'read' }] },
      'It may not reach a.example.com:80. To allow that, where the plugin is configured: "reach": { "hosts": ["a.example.com","a.example.com:80"], "folders": [{"path":"/data","access":"read"}] }',
    ],
    [
      'a name that nobody knows',
      [refused('b.example.com', 443, 'unknown')],
      undefined,
      'b.example.com has no address: look whether the name is right.',
    ],
    [
      'a private address',
      [refused('db.example.com', 443, 'private')],
      undefined,
      'db.example.com leads to an address that is not public, which a plugin behind walls does not reach.',
    ],
    [
      'an address',
      [refused('10.0.0.1', 80)],
      undefined,
      'It may not reach 10.0.0.1:80: a reach names hosts, and no addresses.',
    ],
  ])('is told: %s', (_name, all, reach, says) => {
    expect(hintOf('fetch failed', reach, { refused: all })).toBe(says)
  })

  verifies('wall.plugin.told', 'is told of the host that the failure names, of several', () => {
    const all = [refused('update.example.com'), refused('b.example.com'), refused('c.example.com')]
    const failed = 'net::ERR_TUNNEL_CONNECTION_FAILED at https://b.example.com/'
    expect(hintOf(failed, undefined, { refused: all })).toMatch(/^It may not reach b\.example\.com:443\./)
    expect(hintOf('fetch failed', undefined, { refused: [...all, ...all.slice(1)] })).toMatch(
      /^It may not reach c\.example\.com:443, b\.example\.com:443\./,
    )
  })

  verifies('wall.plugin.told', 'of a published plugin is for its author to change', () => {
    expect(
      hintOf('fetch failed', undefined, { refused: [refused('b.example.com')], isPublished: true }),
    ).toBe(
      'It may not reach b.example.com:443. Only its author can allow that, in svc.plug.json of a next version: "reach": { "hosts": ["b.example.com"] }',
    )
  })
})

describe('what only the text of a failure tells', () => {
  const none = 'Behind its walls it may reach no host. To allow that, where the plugin is configured: '
  verifies.each('wall.plugin.told')<[string, string, string | undefined, Reach?]>([
    [
      'Node',
      'getaddrinfo EAI_AGAIN api.tavily.com',
      `${none}"reach": { "hosts": ["api.tavily.com"] } (A client that takes no proxy needs its port: "tcp": ["api.tavily.com:5432"].)`,
    ],
    [
      'curl',
      'curl: (6) Could not resolve host: api.x.com',
      `${none}"reach": { "hosts": ["api.x.com"] } (A client that takes no proxy needs its port: "tcp": ["api.x.com:5432"].)`,
    ],
    [
      'Go',
      'dial tcp: lookup api.x.com: no such host',
      `${none}"reach": { "hosts": ["api.x.com"] } (A client that takes no proxy needs its port: "tcp": ["api.x.com:5432"].)`,
    ],
    [
      'a browser',
      'page.goto: net::ERR_INTERNET_DISCONNECTED at https://b.example.com/',
      `${none}"reach": { "hosts": ["b.example.com"] } (A client that takes no proxy needs its port: "tcp": ["b.example.com:5432"].)`,
    ],
    [
      'fetch',
      'TypeError: fetch failed',
      `${none}"reach": { "hosts": ["api.example.com"] } (A client that takes no proxy needs its port: "tcp": ["db.example.com:5432"].)`,
    ],
    [
      'Python',
      '[Errno -3] Temporary failure in name resolution',
      `${none}"reach": { "hosts": ["api.example.com"] } (A client that takes no proxy needs its port: "tcp": ["db.example.com:5432"].)`,
    ],
    [
      'loopback',
      'connect ECONNREFUSED 127.0.0.1:5432',
      `Behind its walls 127.0.0.1 is the plugin's own: no server of the machine is there. To allow that, where the plugin is configured: "reach": { "tcp": ["localhost:5432"] }`,
    ],
    [
      'a name beside its reach, asked for without the proxy',
      'getaddrinfo ENOTFOUND b.example.com',
      'Behind its walls it reaches hosts only by the proxy in HTTPS_PROXY, and of those no other than a.example.com. To allow that, where the plugin is configured: "reach": { "hosts": ["a.example.com","b.example.com"] } (A client that takes no proxy needs its port: "tcp": ["b.example.com:5432"].)',
      { hosts: ['a.example.com'] },
    ],
    ['a failure with hosts', 'fetch failed', undefined, { hosts: ['a.example.com'] }],
    [
      'a file that may not be written',
      "EROFS: read-only file system, open '/srv/notes/a b.json'",
      'Behind its walls it may not write /srv/notes/a b.json; it may write below TMPDIR. To allow that, where the plugin is configured: "reach": { "folders": [{"path":"/srv/notes","access":"write"}] }',
    ],
    [
      'a file of its install',
      "EROFS: read-only file system, open '/srv/install/dist/memory.jsonl'",
      'Behind its walls it may not write /srv/install/dist/memory.jsonl; it may write below TMPDIR.',
    ],
    [
      'a file that is not seen',
      "[Errno 2] No such file or directory: '/home/ada/x.csv'",
      'Behind its walls it sees its own files and those of the system. If /home/ada/x.csv is on this machine, it is not shown. To allow that, where the plugin is configured: "reach": { "folders": [{"path":"/home/ada","access":"read"}] }',
    ],
    ['a file in a folder that is shown', "ENOENT: no such file, open '/srv/shown/x'", undefined],
    ['a file of its own folder', "ENOENT: no such file, open '/var/tmp/own/x'", undefined],
    ['a file of the system', "EACCES: permission denied, open '/etc/shadow'", undefined],
    ['a file without a path', 'No such file or directory', undefined],
    ['what has nothing to do with walls', 'city is missing', undefined],
  ])('%s', (_name, text, says, reach) => expect(hintOf(text, reach)).toBe(says))

  it('is read in linear time', () => {
    const startedMs = performance.now()
    for (const text of ['lookup '.repeat(50_000), '/'.repeat(300_000), `ENOENT ${'a.'.repeat(100_000)}`])
      hintOf(text)
    expect(performance.now() - startedMs).toBeLessThan(500)
  })
})

it.each<[Refused, string]>([
  [
    refused('b.example.com', 22),
    'this plugin may not reach b.example.com:22; to allow it, add "b.example.com:22" to reach.hosts',
  ],
  [refused('localhost', 80), 'this plugin may not reach localhost:80'],
  [refused('[::1]', 80), 'this plugin may not reach [::1]:80'],
  [
    refused('x.example.com', 443, 'unknown'),
    'x.example.com has no address: no name server of this machine knows it',
  ],
])('%j is refused with: %s', (one, says) => expect(refusalText(one)).toBe(says))

verifies('wall.plugin.told', 'is told once a host, so many times, and forgotten with the oldest', () => {
  const told = openTold({ REFUSED_TOLD_MAX: 3, REFUSED_GROUPS_MAX: 2 })
  const tries = ['a', 'a', 'b', 'c', 'd', 'e'].map((host) => told.isNew('one', host))
  expect(tries).toEqual(['yes', 'no', 'yes', 'last', 'no', 'no'])
  expect(['two', 'three', 'one'].map((group) => told.isNew(group, 'a'))).toEqual(['yes', 'yes', 'yes'])
})
