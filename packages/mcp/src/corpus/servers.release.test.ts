import { describe } from 'vitest'
import { proveServer } from '../testing/corpus/prove-server.ts'
import { servers } from '../testing/corpus/servers.ts'

describe.each(servers)('$name', proveServer)
