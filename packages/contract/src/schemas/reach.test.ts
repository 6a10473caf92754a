import { verifies } from '@svc/conformance/verifies'
import { describe, expect, it } from 'vitest'
import { explain } from '../methods/define.ts'
import { pluginManifestSchema } from './plugin-manifest.ts'
import { mayReach, mayReachTcp, type Reach, reachDigest, reachSentence, readReach } from './reach.ts'
import { ownReachSchema } from './reach-schema.ts'

function fault(reach: unknown): string | null {
  const manifest = { name: 'x', tools: [], reach }
  const parsed = pluginManifestSchema.safeParse(manifest)
  return parsed.success ? null : explain(parsed.error, manifest)
}

const read = (...paths: string[]) => paths.map((path) => ({ path, access: 'read' as const }))
const write = (...paths: string[]) => paths.map((path) => ({ path, access: 'write' as const }))

describe('what a manifest may ask to reach', () => {
  verifies.each('plug.reach.declared')([
    [{}],
    [{ hosts: [] }],
    [{ hosts: ['api.example.com', '*.example.com:8443', 'xn--bcher-kva.example'] }],
    [{ tcp: ['db.example.com:5432', 'Redis-1.example.com:6379'] }],
    [{ folders: [...read('/srv/data'), ...write('C:\\data', '/home/ada/notes/')] }],
  ])('%j', (reach) =>
    expect(pluginManifestSchema.parse({ name: 'x', tools: [], reach }).reach).toEqual(reach),
  )

  const many = (count: number) => Array.from({ length: count }, (_, at) => `h${at}.example`)
  verifies.each('plug.reach.declared')([
    [[], 'reach must be an object'],
    [{ host: ['a.example'] }, 'reach must not have the key "host"; did you mean `hosts`?'],
    [{ hosts: 'a.example' }, 'reach.hosts must be an array'],
    [{ hosts: many(17) }, 'reach.hosts must have at most 16 items'],
    ...[
      'localhost',
      '*',
      '*.com',
      '10.0.0.1',
      'a.example:0',
      'https://a.example',
      'a.*.example',
      '[::1]',
      '',
    ].map((host): [Reach, string] => [
      { hosts: [host] },
      'reach.hosts.0 must be a host such as api.example.com',
    ]),
    ...[
      'db.example.com',
      'localhost:5432',
      'db:5432',
      '127.0.0.1:80',
      '10.0.0.1:80',
      '*.example.com:80',
      'a.example:0',
    ].map((server): [Reach, string] => [
      { tcp: [server] },
      'reach.tcp.0 must be a public server with its port such as db.example.com:5432',
    ]),
    [{ tcp: many(9).map((name) => `${name}:80`) }, 'reach.tcp must have at most 8 items'],
    [{ tcp: ['a.example:65536'] }, 'reach.tcp.0 must have a port of at most 65535'],
    [{ hosts: ['a.example:65536'] }, 'reach.hosts.0 must have a port of at most 65535'],
    [{ folders: read(...many(9)) }, 'reach.folders must have at most 8 items'],
    [{ folders: [{ path: '/data' }] }, 'reach.folders.0.access must be one of "read", "write", got nothing'],
    [{ folders: read('data') }, 'reach.folders.0.path must be an absolute path'],
    ...[
      ['/data/../etc', '/data/..', '/data/./x', '/data/.', '/./etc', 'C:\\data\\..\\x', 'C:/data/.'],
      ['//', '///', '//etc', '//proc/self/root', '/home//ada', '/data//', 'C:\\\\data', 'C:/\\'],
    ]
      .flat()
      .map((path): [Reach, string] => [
        { folders: read(path) },
        'reach.folders.0.path must not hold the folders . or .., nor two slashes in a row',
      ]),
    ...[
      '/',
      '/etc',
      '/etc/',
      '/proc/1',
      '/usr/lib',
      '/dev/shm',
      '/lib64',
      '/var/run',
      '/var/lock/x',
      'C:\\',
      'C:/',
    ].map((path): [Reach, string] => [
      { folders: read(path) },
      'reach.folders.0.path must be a folder of data, not one of the system',
    ]),
  ])('not %j: %s', (reach, sentence) => expect(fault(reach)).toContain(sentence))
})

const reaches: [Reach | undefined, string, string][] = [
  [undefined, '', 'It may reach no host and no folder but its own.'],
  [{ hosts: [], folders: [] }, '', 'It may reach no host and no folder but its own.'],
  [
    { hosts: ['b.example:443', 'API.example', 'b.example'], folders: read('/data/') },
    'host api.example\nhost b.example\nread /data',
    'It may reach api.example and b.example and read "/data".',
  ],
  [
    { hosts: ['*.a.example:8443'], folders: [...write('/z'), ...read('/z', '/b')] },
    'host *.a.example:8443\nread /b\nwrite /z',
    'It may reach *.a.example:8443, read "/b" and read and change "/z".',
  ],
  [
    {
      tcp: ['DB.example:5432', 'db.example:5432', 'a.example:6379'],
      hosts: ['b.example'],
      folders: read('/data'),
    },
    'host b.example\ntcp a.example:6379\ntcp db.example:5432\nread /data',
    'It may reach b.example, connect by TCP to a.example:6379 and db.example:5432 and read "/data".',
  ],
  // As rows have it that were published before it was refused: what is shown is never less than what is asked for.
  [{ folders: write('//') }, 'write /', 'It may read and change "/".'],
  [
    { folders: [...read('${A}', '${A}/b'), ...write('${HOME}')] },
    'read ${A}\nread ${A}/b\nwrite ${HOME}',
    'It may read the folder that you give as A and the folder that you give as A followed by "/b" and read and change your home folder.',
  ],
  [
    { folders: write('/srv/a". It runs isolated. \u202e') },
    'write /srv/a". It runs isolated. \u202e',
    'It may read and change "/srv/a\\". It runs isolated. \\u202e".',
  ],
]
verifies.each('plug.reach.told')(reaches)('%j has the digest %j and reads: %s', (reach, digest, sentence) => {
  expect([reachDigest(reach), reachSentence(reach)]).toEqual([digest, sentence])
})

it.each<[unknown, Reach | undefined]>([
  [undefined, undefined],
  ['x', undefined],
  [{}, undefined],
  [{ hosts: ['a.example', 1] }, { hosts: ['a.example'], folders: [] }],
  [
    { folders: [...read('/data'), { path: 'data', access: 'read' }, { path: '/x', access: 'all' }, null] },
    { hosts: [], folders: read('/data') },
  ],
  [
    { tcp: ['a.example:80', 'a.example', 1, 'a b:80', 'a:80\nread /home'] },
    { hosts: [], folders: [], tcp: ['a.example:80'] },
  ],
  [{ folders: read('C:\\data', 'd:/data') }, { hosts: [], folders: read('C:\\data', 'd:/data') }],
  [
    {
      folders: read(
        '//',
        '//etc',
        '/home//ada',
        '/data/./x',
        '/data/..',
        '/',
        '/etc/',
        '/run',
        'C:\\',
        '/a.b/.c/..d',
      ),
    },
    { hosts: [], folders: read('/a.b/.c/..d') },
  ],
  [
    { hosts: ['a.example\nwrite /home'], folders: read('/a\nwrite /home') },
    { hosts: [], folders: [] },
  ],
])('%j of a link is read as %j', (told, reach) => expect(readReach(told)).toEqual(reach))

it.each([
  ['api.example', 443, true],
  ['API.example', 443, true],
  ['api.example', 80, false],
  ['x.api.example', 443, false],
  ['a.wild.example', 8443, true],
  ['a.b.wild.example', 8443, true],
  ['wild.example', 8443, false],
  ['evilwild.example', 8443, false],
  ['a.wild.example', 443, false],
])('%s:%i is reached: %j', (host, port, is) => {
  expect(mayReach({ hosts: ['api.example', '*.wild.example:8443'] }, host, port)).toBe(is)
})

describe('a server that the owner of a machine names', () => {
  verifies.each('plug.reach.declared')([
    ['localhost:5432', true],
    ['127.0.0.1:5432', true],
    ['db:5432', true],
    ['db.internal.example:5432', true],
    ['10.0.0.1:5432', false],
    ['127.0.0.2:5432', false],
    ['[::1]:5432', false],
    ['localhost', false],
    ['a b:80', false],
  ])('%s: %j', (server, is) => expect(ownReachSchema.safeParse({ tcp: [server] }).success).toBe(is))
})

it.each([
  ['DB.example', 5432, true],
  ['db.example', 5433, false],
  ['x.db.example', 5432, false],
])('%s:%i is reached by TCP: %j', (host, port, is) => {
  expect(mayReachTcp({ tcp: ['db.example:5432'] }, host, port)).toBe(is)
})
