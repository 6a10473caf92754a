import { verifies } from '@svc/conformance/verifies'
import { expect } from 'vitest'
import { type Listener, listenersOf } from './forwarder.ts'

verifies.each('wall.plugin.tcp')<[string, readonly string[], readonly Listener[], string]>([
  ['nothing', [], [], ''],
  [
    'names, each at an address of its own',
    ['db.example:5432', 'DB.example:5433', 'cache.example:6379', 'db.example:5432'],
    [
      ['127.0.1.1', 5432, 'db.example:5432'],
      ['127.0.1.1', 5433, 'db.example:5433'],
      ['127.0.1.2', 6379, 'cache.example:6379'],
    ],
    '127.0.1.1 db.example\n127.0.1.2 cache.example\n',
  ],
  [
    'this machine, whose names each process has',
    ['localhost:5432', '127.0.0.1:80'],
    [
      ['127.0.0.1', 5432, 'localhost:5432'],
      ['::1', 5432, 'localhost:5432'],
      ['127.0.0.1', 40_080, '127.0.0.1:80'],
      ['::1', 40_080, '127.0.0.1:80'],
    ],
    '',
  ],
  [
    'a low port',
    ['mail.example:587'],
    [['127.0.1.1', 40_587, 'mail.example:587']],
    '127.0.1.1 mail.example\n',
  ],
])('%s', (_name, tcp, listeners, hosts) => expect(listenersOf(tcp)).toEqual({ listeners, hosts }))
